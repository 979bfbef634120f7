import { inside, REFERENCE, type Schema } from './schemas.ts';

/** Turns `charge.paid` into `ChargePaid`. */
export function wordsOf(event: string): string {
  const words = event.split(/[._]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return words.join('');
}

/** The component that describes the `data` of an event. */
export function dataNameOf(event: string): string {
  return `${wordsOf(event)}Data`;
}

/**
 * Where an answer holds an event, its `data` is that of the event's name. The services show what is kept, of any
 * release; the document alone says what it is.
 */
export function typeEvents(components: Schema): void {
  typeEvent('Event', components);
  typeEvent('WebhookPayload', components);
}

/** Each alternative is a component: generators make of an inline one a type without fields. */
function typeEvent(holder: string, components: Schema): void {
  const schema = inside(components, holder);
  const { properties, required } = schema;
  const names = inside(properties, 'event').enum;
  // A document of a few endpoints may have none.
  if (!Array.isArray(names)) return;
  const oneOf = names.map(String).map((event) => {
    const name = `${wordsOf(event)}${holder}`;
    components[name] = {
      type: 'object',
      properties: {
        ...inside(schema, 'properties'),
        event: { type: 'string', const: event },
        data: { $ref: REFERENCE + dataNameOf(event) },
      },
      required,
    };
    return { $ref: REFERENCE + name };
  });
  delete schema.type;
  delete schema.properties;
  delete schema.required;
  schema.oneOf = oneOf;
}
