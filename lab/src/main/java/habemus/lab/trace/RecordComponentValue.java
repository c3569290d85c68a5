package habemus.lab.trace;

import habemus.protocol.RecordFields;
import java.util.List;

/** The name and value of one component of a record. */
record RecordComponentValue(String name, Object value) {

    /** All components of a record, in the order of their declaration. */
    static List<RecordComponentValue> of(Record value) {
        return RecordFields.of(value.getClass()).stream()
                .map(field -> new RecordComponentValue(field.getName(), RecordFields.get(field, value)))
                .toList();
    }
}
