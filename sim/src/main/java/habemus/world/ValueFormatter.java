package habemus.world;

import habemus.protocol.Envelope;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;

/**
 * Formats values for readers: {@code Request(41@n1)} rather than {@code Request[stamp=41@n1]}. Only the content of an
 * {@link Envelope} is printed.
 */
public final class ValueFormatter {

    private static final ClassValue<RecordComponent[]> COMPONENTS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            return hasOwnToString(type) ? new RecordComponent[0] : type.getRecordComponents();
        }
    };

    private ValueFormatter() {}

    public static String format(Object object) {
        return switch (Envelope.unwrap(object)) {
            case Record value when hasOwnToString(value.getClass()) -> value.toString();
            case Record value -> typeName(value) + components(value);
            case List<?> list -> {
                var text = new StringJoiner(" ", "[", "]");
                list.forEach(element -> text.add(format(element)));
                yield text.toString();
            }
            case Object other -> other.toString();
        };
    }

    /** The simple class name of a message, event or phase. */
    public static String typeName(Object value) {
        return Envelope.unwrap(value).getClass().getSimpleName();
    }

    /** The values of a record's components, in order; empty if the record has a {@code toString} of its own. */
    public static List<Object> componentValues(Record value) {
        return Arrays.stream(COMPONENTS.get(value.getClass()))
                .map(component -> get(component, value))
                .toList();
    }

    private static String components(Record value) {
        var components = COMPONENTS.get(value.getClass());
        return switch (components.length) {
            case 0 -> "";
            case 1 -> "(" + format(get(components[0], value)) + ")";
            default -> {
                var text = new StringJoiner(" ", "(", ")");
                for (var component : components) {
                    text.add(component.getName() + "=" + format(get(component, value)));
                }
                yield text.toString();
            }
        };
    }

    /** Whether the record overrides {@code toString}. */
    private static boolean hasOwnToString(Class<?> type) {
        try {
            Method text = type.getDeclaredMethod("toString");
            return !java.lang.reflect.Modifier.isFinal(text.getModifiers());
        } catch (NoSuchMethodException inherited) {
            return false;
        }
    }

    private static Object get(RecordComponent component, Record value) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException inaccessible) {
            throw new IllegalStateException(
                    "cannot read component " + component + " of " + Arrays.toString(COMPONENTS.get(value.getClass())),
                    inaccessible);
        }
    }
}
