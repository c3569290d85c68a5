package habemus.world;

import static java.util.stream.Collectors.joining;

import habemus.protocol.Envelope;
import habemus.protocol.RecordFields;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;

/**
 * Formats values for readers: {@code Request(41@n1)} rather than {@code Request[stamp=41@n1]}. Only the content of an
 * {@link Envelope} is printed.
 */
public final class ValueFormatter {

    private static final ClassValue<Boolean> HAS_OWN_TO_STRING = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return overridesToString(type);
        }
    };

    private ValueFormatter() {}

    public static String format(Object object) {
        return switch (Envelope.unwrap(object)) {
            case Record value when hasOwnToString(value.getClass()) -> value.toString();
            case Record value -> typeName(value) + components(value);
            case List<?> list -> list.stream().map(ValueFormatter::format).collect(joining(" ", "[", "]"));
            case Object other -> other.toString();
        };
    }

    /** The simple class name of a message, event or phase. */
    public static String typeName(Object value) {
        return Envelope.unwrap(value).getClass().getSimpleName();
    }

    /** The values of a record's components, in order; empty if the record has a {@code toString} of its own. */
    public static List<Object> componentValues(Record value) {
        return shown(value.getClass()).stream()
                .map(field -> RecordFields.get(field, value))
                .toList();
    }

    private static List<Field> shown(Class<?> type) {
        return hasOwnToString(type) ? List.of() : RecordFields.of(type);
    }

    private static String components(Record value) {
        var fields = shown(value.getClass());
        return switch (fields.size()) {
            case 0 -> "";
            case 1 -> "(" + format(RecordFields.get(fields.getFirst(), value)) + ")";
            default ->
                fields.stream()
                        .map(field -> field.getName() + "=" + format(RecordFields.get(field, value)))
                        .collect(joining(" ", "(", ")"));
        };
    }

    /** Whether the record overrides {@code toString}. */
    private static boolean hasOwnToString(Class<?> type) {
        return HAS_OWN_TO_STRING.get(type);
    }

    private static boolean overridesToString(Class<?> type) {
        try {
            Method text = type.getDeclaredMethod("toString");
            return !Modifier.isFinal(text.getModifiers());
        } catch (NoSuchMethodException inherited) {
            return false;
        }
    }
}
