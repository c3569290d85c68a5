package habemus.world;

import habemus.protocol.Envelope;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;

/** Values as people read them: {@code Request(41@n1)} rather than {@code Request[stamp=41@n1]}; of what is
 * carried by something else, only what is carried. */
public final class Wording {

    private static final ClassValue<RecordComponent[]> PARTS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            return speaksForItself(type) ? new RecordComponent[0] : type.getRecordComponents();
        }
    };

    private Wording() {}

    public static String of(Object value) {
        return switch (Envelope.open(value)) {
            case Record one when speaksForItself(one.getClass()) -> one.toString();
            case Record one -> name(one) + parts(one);
            case List<?> list -> {
                var text = new StringJoiner(" ", "[", "]");
                list.forEach(each -> text.add(of(each)));
                yield text.toString();
            }
            case Object other -> other.toString();
        };
    }

    /** The bare name of a message, event or phase. */
    public static String name(Object value) {
        return Envelope.open(value).getClass().getSimpleName();
    }

    /** What a record is made of, in order. */
    public static List<Object> contents(Record value) {
        return Arrays.stream(PARTS.get(value.getClass()))
                .map(part -> get(part, value))
                .toList();
    }

    private static String parts(Record value) {
        var parts = PARTS.get(value.getClass());
        return switch (parts.length) {
            case 0 -> "";
            case 1 -> "(" + of(get(parts[0], value)) + ")";
            default -> {
                var text = new StringJoiner(" ", "(", ")");
                for (var part : parts) {
                    text.add(part.getName() + "=" + of(get(part, value)));
                }
                yield text.toString();
            }
        };
    }

    /** Whether the record has a {@code toString} of its own. */
    private static boolean speaksForItself(Class<?> type) {
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
