-- Twin of migrations/sqlite/0048_template_translations.sql.

-- A template is written in several languages. `body` is the text that counts.
-- The language of that text.
ALTER TABLE contract_templates ADD COLUMN counts TEXT NOT NULL DEFAULT 'en';
-- The others, as JSON: {"es": "…"}. NULL where there are none.
ALTER TABLE contract_templates ADD COLUMN translations TEXT;
ALTER TABLE contract_template_drafts ADD COLUMN counts TEXT NOT NULL DEFAULT 'en';
ALTER TABLE contract_template_drafts ADD COLUMN translations TEXT;
