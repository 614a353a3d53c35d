// In the documents of a development run: loads them anew when the server has new bundles, or comes back.
const changes = new EventSource('/__dev/reload');
let isLost = false;
changes.addEventListener('reload', () => location.reload());
changes.addEventListener('error', () => (isLost = true));
changes.addEventListener('open', () => {
  if (isLost) location.reload();
});
