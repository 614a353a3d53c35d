//! Rows that both databases can return: SQLite in place (crate `sqlite`) or through sqlx, PostgreSQL through sqlx.

pub(super) use sqlite::{Columns, InPlace};

/// A row of the columns named like its fields and in their order, for both databases.
macro_rules! row {
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty,)*
    }) => {
        $(#[$meta])*
        #[derive(sqlx::FromRow)]
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $type,)*
        }

        impl $crate::in_place::InPlace for $name {
            fn in_place(columns: &mut $crate::in_place::Columns<'_>) -> sqlite::Result<Self> {
                Ok(Self { $($field: columns.named(stringify!($field))?,)* })
            }
        }
    };
}
pub(super) use row;

/// A row made of several joined ones, in the order of their columns, for both databases.
macro_rules! joined_row {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($field_vis:vis $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(sqlx::FromRow)]
        $vis struct $name {
            $(#[sqlx(flatten)] $field_vis $field: $type,)*
        }

        impl $crate::in_place::InPlace for $name {
            fn in_place(columns: &mut $crate::in_place::Columns<'_>) -> sqlite::Result<Self> {
                Ok(Self { $($field: <$type>::in_place(columns)?,)* })
            }
        }
    };
}
pub(super) use joined_row;
