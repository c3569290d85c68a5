package habemus.protocol;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

/**
 * The components of a record, by reflection. They are read from the fields of the record: a platform that compiles the
 * classes to WebAssembly knows no other form.
 */
public final class RecordFields {

    private static final ClassValue<List<Field>> BY_TYPE = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
            var fields = Arrays.stream(type.getDeclaredFields())
                    .filter(field -> !Modifier.isStatic(field.getModifiers()))
                    .toList();
            fields.forEach(field -> field.setAccessible(true));
            return fields;
        }
    };

    private RecordFields() {}

    /** One field for each component, in the order of their declaration. */
    public static List<Field> of(Class<?> recordType) {
        return BY_TYPE.get(recordType);
    }

    public static Object get(Field field, Record value) {
        try {
            return field.get(value);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException("cannot read " + field, impossible);
        }
    }
}
