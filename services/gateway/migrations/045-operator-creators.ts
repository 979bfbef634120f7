import type { Migration } from '@plataforma/data';

export const operatorCreators: Migration = {
  name: '045_operator_creators',
  sql: `
    -- The operator who proposed or made this one. Replicas of release 0.6.0 leave it null.
    ALTER TABLE operators ADD COLUMN created_by uuid REFERENCES operators (id);
    UPDATE operators SET created_by = a.operator_id
    FROM audit_log a WHERE a.action = 'operator.create' AND a.subject_id = operators.id;
  `,
};
