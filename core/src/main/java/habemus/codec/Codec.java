package habemus.codec;

import static java.util.Objects.requireNonNull;

import habemus.protocol.Durable;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.Protocol;
import habemus.protocol.Timed;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Bytes of values of one type, derived from the type: the parts of a record in their order, the permitted records of a
 * sealed interface numbered in the order of their names. So the hierarchy is also the list of what can arrive: a number
 * that it does not know is refused before anything is built, and nothing is allocated that the bytes do not pay for.
 *
 * <pre>
 *   number   7 bits a byte, lowest first, the sign in the lowest bit
 *   text     its length, then UTF-8          list  its length, then its elements
 *   blob     its length, then its bytes
 *   nodes    how many, then the distances    enum  its place
 * </pre>
 *
 * @param <T> made of what {@link habemus.protocol.ValueTypeCheck} lets in
 */
public final class Codec<T> {

    private enum NoTimer {}

    private final TypeCodec typeCodec;

    private Codec(TypeCodec typeCodec) {
        this.typeCodec = typeCodec;
    }

    /** @throws IllegalArgumentException if something in it has no bytes */
    public static <T> Codec<T> of(Class<T> type) {
        return new Codec<>(new TypeCodecResolver(NoTimer.class).of(type, Map.of()));
    }

    public static <S, M> Codec<M> ofMessages(Protocol<S, M> protocol) {
        return ofArgument(protocol, Protocol.class, 1);
    }

    public static <S, M> Codec<S> ofStates(Protocol<S, M> protocol) {
        return ofArgument(protocol, Protocol.class, 0);
    }

    public static <S, M, D> Codec<D> ofMemories(Durable<S, M, D> protocol) {
        return ofArgument(protocol, Durable.class, 2);
    }

    public static <S, M> Codec<Event<M>> ofEvents(Protocol<S, M> protocol) {
        return forProtocol(protocol, Event.class);
    }

    public static <S, M> Codec<Effect<M>> ofEffects(Protocol<S, M> protocol) {
        return forProtocol(protocol, Effect.class);
    }

    /**
     * Of values that tell of a protocol.
     *
     * @param type a {@code T<M>} of its messages, or a {@code T<S, M>} of its states and messages
     */
    public static <T> Codec<T> forProtocol(Protocol<?, ?> protocol, Class<?> type) {
        var bound = new HashMap<TypeVariable<?>, Type>();
        var open = type.getTypeParameters();
        for (int i = 0; i < open.length; i++) {
            int which = i + 2 - open.length; // messages come last
            bound.put(open[i], argument(protocol.getClass(), Protocol.class, which, Map.of()));
        }
        return new Codec<>(new TypeCodecResolver(timerType(protocol)).of(type, bound));
    }

    private static <T> Codec<T> ofArgument(Protocol<?, ?> protocol, Class<?> power, int which) {
        var type = argument(protocol.getClass(), power, which, Map.of());
        return new Codec<>(new TypeCodecResolver(timerType(protocol)).of(type, Map.of()));
    }

    private static Class<?> timerType(Protocol<?, ?> protocol) {
        return protocol instanceof Timed
                ? (Class<?>) argument(protocol.getClass(), Timed.class, 2, Map.of())
                : NoTimer.class;
    }

    /** With what a class fills one of the places of an interface that it implements, maybe by way of others. */
    private static Type argument(Class<?> type, Class<?> power, int which, Map<TypeVariable<?>, Type> bound) {
        var parents =
                Stream.concat(Stream.of(type.getGenericInterfaces()), Stream.ofNullable(type.getGenericSuperclass()));
        for (Type parent : parents.toList()) {
            if (parent instanceof Class<?> plain && power.isAssignableFrom(plain)) {
                return argument(plain, power, which, Map.of());
            }
            if (parent instanceof ParameterizedType generic
                    && generic.getRawType() instanceof Class<?> raw
                    && power.isAssignableFrom(raw)) {
                var inner = TypeCodecResolver.bindArguments(generic, bound);
                return raw == power
                        ? requireNonNull(inner.get(power.getTypeParameters()[which]))
                        : argument(raw, power, which, inner);
            }
        }
        throw new IllegalArgumentException(type.getName() + " is no " + power.getSimpleName());
    }

    /** @throws IllegalArgumentException if it is no such value */
    public byte[] write(T value) {
        var byteWriter = new ByteWriter();
        typeCodec.write(value, byteWriter);
        return byteWriter.toBytes();
    }

    /** The same as a value. */
    public ByteString writeByteString(T value) {
        return ByteString.wrap(write(value));
    }

    /**
     * The value that these bytes are, all of them.
     *
     * @throws MalformedInputException if they are none
     */
    @SuppressWarnings("unchecked") // the form is made from the type
    public T read(ByteBuffer bytes) {
        var byteReader = new ByteReader(bytes);
        var value = (T) typeCodec.read(byteReader);
        MalformedInputException.unless(byteReader.remaining() == 0, byteReader.remaining() + " bytes too many");
        return value;
    }

    public T read(byte[] bytes) {
        return read(ByteBuffer.wrap(bytes));
    }
}
