// What most screens need. The bundler makes a file of each set of screens that share a module, some forty of them for a
// page, which compress badly one by one. The entry and all screens import this, so that these parts are one file.
import '../api/http';
import '../api/session';
import '../navigation';
import './back-link';
import './badge';
import './banner';
import './disclosure';
import './error-summary';
import './field';
import './form-outcome';
import './format';
import './language-switch';
import './lines';
import './nav-list';
import './notice';
import './progress';
import './side-menu';
import './site-bar';
import './tag';
import './theme-switch';
import './use-hydrated';
