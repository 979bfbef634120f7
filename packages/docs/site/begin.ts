/** Before the first paint: which theme was chosen, and that tabs will work. */
const chosen = localStorage.getItem('docs-theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
document.documentElement.dataset.script = '';
