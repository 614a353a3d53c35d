//! Checks that `docs/roles.md` shows the table used by the code.

use matricula::domain::permission;

use crate::status_docs::keep_current;

#[test]
fn the_committed_table_is_that_of_the_code() {
    keep_current("docs/roles.md", "src/domain/permission.rs", &permission::rows());
}
