-- Twin of migrations/postgres/0047_interview_rubrics.sql.

-- Interviews are scored by a rubric of the office, too. A sheet keeps its scale and its criteria with their points: JSON, as in
-- readings.points. `points` is left to processes of the version before.
ALTER TABLE score_sheets ADD COLUMN scale INTEGER NOT NULL DEFAULT 5;
ALTER TABLE score_sheets ADD COLUMN lines TEXT NOT NULL DEFAULT '[]';
UPDATE score_sheets SET lines = (
    SELECT json_group_array(json_object(
        'label', CASE json_extract(value, '$[0]')
            WHEN 'motivation' THEN 'Motivation for this program'
            WHEN 'experience' THEN 'Experience with people'
            WHEN 'goals' THEN 'Goals that the program serves'
            WHEN 'communication' THEN 'Communication'
            ELSE 'Readiness for the work it takes'
        END,
        'weight', 1,
        'points', json_extract(value, '$[1]')
    ))
    FROM json_each(score_sheets.points)
);
