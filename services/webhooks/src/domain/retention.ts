/** For how long what is over stays readable. */
export interface Retention {
  eventRetentionDays: number;
  deliveryRetentionDays: number;
}
