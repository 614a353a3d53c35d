// Modules that most pages need. The bundler creates a file for each set of lazy modules with shared imports: some forty
// per page, which compress badly individually. scripts/bundle.mjs adds this import to every lazy module, so that
// everything here ends up in one file.
import './api/http';
import './api/session';
import './features/crash/crash-screen';
import './navigation';
import './react-dom';
import './theme/style-cache';
import './theme/theme-root';
import './ui/back-link';
import './ui/badge';
import './ui/banner';
import './ui/disclosure';
import './ui/error-summary';
import './ui/field';
import './ui/format';
import './ui/frame';
import './ui/language-switch';
import './ui/is-field';
import './ui/layout';
import './theme/parts/lines';
import './ui/loading-screen';
import './ui/nav-list';
import './ui/notice';
import './ui/part';
import './theme/parts/progress';
import './ui/request-id';
import './ui/side-menu';
import './ui/site-bar';
import './ui/tag';
import './ui/theme-switch';
import './ui/unsaved-guard';
import './ui/use-hydrated';
import './ui/waiting-bar';
export { createBrowserRouter } from 'react-router';
