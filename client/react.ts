// Evaluated beside the entry, in a task of its own: React is a third of what the entry would otherwise evaluate in one.
import 'react-dom/client';
