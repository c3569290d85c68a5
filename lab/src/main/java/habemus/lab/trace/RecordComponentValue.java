package habemus.lab.trace;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/** A component of a record, by name. */
record RecordComponentValue(String name, Object value) {

    private static final ClassValue<RecordComponent[]> COMPONENTS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            return type.getRecordComponents();
        }
    };

    /** The components in the order of their declaration. */
    static List<RecordComponentValue> of(Record value) {
        return Arrays.stream(COMPONENTS.get(value.getClass()))
                .map(component -> new RecordComponentValue(component.getName(), read(component, value)))
                .toList();
    }

    private static Object read(RecordComponent component, Record value) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException closed) {
            throw new IllegalStateException(
                    "cannot read " + component.getName() + " of "
                            + value.getClass().getName(),
                    closed);
        }
    }
}
