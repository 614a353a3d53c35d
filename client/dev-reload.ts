// In the documents of a development run: loads them anew when the server has other bundles than those they were made with, which
// the address of this script names, or when it comes back.
const changes = new EventSource(`/__dev/reload${new URL(import.meta.url).search}`);
let isLost = false;
changes.addEventListener('reload', () => location.reload());
changes.addEventListener('error', () => (isLost = true));
changes.addEventListener('open', () => {
  if (isLost) location.reload();
});
