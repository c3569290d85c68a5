package habemus.world;

import habemus.protocol.Envelope;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;

/** Values as people read them: {@code Request(41@n1)} rather than {@code Request[stamp=41@n1]}; of what is
 * carried by something else, only what is carried. */
public final class ValueFormatter {

    private static final ClassValue<RecordComponent[]> PARTS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            return hasOwnToString(type) ? new RecordComponent[0] : type.getRecordComponents();
        }
    };

    private ValueFormatter() {}

    public static String format(Object value) {
        return switch (Envelope.unwrap(value)) {
            case Record one when hasOwnToString(one.getClass()) -> one.toString();
            case Record one -> typeName(one) + parts(one);
            case List<?> list -> {
                var text = new StringJoiner(" ", "[", "]");
                list.forEach(each -> text.add(format(each)));
                yield text.toString();
            }
            case Object other -> other.toString();
        };
    }

    /** The bare name of a message, event or phase. */
    public static String typeName(Object value) {
        return Envelope.unwrap(value).getClass().getSimpleName();
    }

    /** What a record is made of, in order. */
    public static List<Object> componentValues(Record value) {
        return Arrays.stream(PARTS.get(value.getClass()))
                .map(part -> get(part, value))
                .toList();
    }

    private static String parts(Record value) {
        var parts = PARTS.get(value.getClass());
        return switch (parts.length) {
            case 0 -> "";
            case 1 -> "(" + format(get(parts[0], value)) + ")";
            default -> {
                var text = new StringJoiner(" ", "(", ")");
                for (var part : parts) {
                    text.add(part.getName() + "=" + format(get(part, value)));
                }
                yield text.toString();
            }
        };
    }

    /** Whether the record has a {@code toString} of its own. */
    private static boolean hasOwnToString(Class<?> type) {
        try {
            Method text = type.getDeclaredMethod("toString");
            return !java.lang.reflect.Modifier.isFinal(text.getModifiers());
        } catch (NoSuchMethodException inherited) {
            return false;
        }
    }

    private static Object get(RecordComponent part, Record value) {
        try {
            part.getAccessor().setAccessible(true);
            return part.getAccessor().invoke(value);
        } catch (ReflectiveOperationException closed) {
            throw new IllegalStateException(
                    "cannot read " + part + " of " + Arrays.toString(PARTS.get(value.getClass())), closed);
        }
    }
}
