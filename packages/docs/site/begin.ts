/** Sets the chosen theme and enables the tabs before the first paint. */
const chosen = localStorage.getItem('docs-theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
document.documentElement.dataset.script = '';
