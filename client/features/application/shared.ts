// What most screens with answers need, as one file: see client/shared.ts.
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
