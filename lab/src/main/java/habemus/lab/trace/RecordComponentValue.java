package habemus.lab.trace;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/** The name and value of one component of a record. */
record RecordComponentValue(String name, Object value) {

    private static final ClassValue<RecordComponent[]> COMPONENTS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            return type.getRecordComponents();
        }
    };

    /** All components of a record, in the order of their declaration. */
    static List<RecordComponentValue> of(Record value) {
        return Arrays.stream(COMPONENTS.get(value.getClass()))
                .map(component -> new RecordComponentValue(component.getName(), read(component, value)))
                .toList();
    }

    private static Object read(RecordComponent component, Record value) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException inaccessible) {
            throw new IllegalStateException(
                    "cannot read " + component.getName() + " of "
                            + value.getClass().getName(),
                    inaccessible);
        }
    }
}
