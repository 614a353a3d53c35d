// Part of the documents in development: reloads the page when the server has other bundles than those the page was made
// with, which this script's address names, or when the server comes back.
const changes = new EventSource(`/__dev/reload${new URL(import.meta.url).search}`);
let isLost = false;
changes.addEventListener('reload', () => location.reload());
changes.addEventListener('error', () => (isLost = true));
changes.addEventListener('open', () => {
  if (isLost) location.reload();
});
