/** @jsxImportSource preact */
export function Checkout() {
  return <main>Plataforma</main>;
}
