// The modules that most screens with answers need, bundled into one file: see client/shared.ts.
import '../../api/application';
import './answers';
import './conflict-notice';
import './fields';
import './merge';
import './own-pages';
import './parts';
import './program-question';
import './questions';
import './section-list';
import './sections';
import './state';
import './task-list';
