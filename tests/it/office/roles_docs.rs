//! `docs/roles.md` shows the table that the code goes by.

use matricula::domain::permission;

use crate::status_docs::keep_current;

#[test]
fn the_committed_table_is_that_of_the_code() {
    keep_current("docs/roles.md", "src/domain/permission.rs", &permission::rows());
}
