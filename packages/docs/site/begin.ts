/**
 * Sets the colours that the reader chose earlier, and enables the tabs, before the browser paints the page.
 */
const chosen = localStorage.getItem('docs-theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
document.documentElement.dataset.script = '';
