package habemus.codec;

import static java.util.Objects.requireNonNull;

import habemus.protocol.ByteString;
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
 * Encodes and decodes values of one type. The encoding is derived from the type. A record is the sequence of its
 * components. A value of a sealed interface is its {@linkplain habemus.protocol.WireTags tag} and its components.
 *
 * <p>The type is also the list of what can be decoded. The decoder rejects an unknown tag before it creates any object,
 * and allocates no more than the input has bytes.
 *
 * <pre>
 *   integer      7 bits a byte, lowest first, zigzag sign
 *   string       length, UTF-8               list      length, elements
 *   byte string  length, bytes               enum      ordinal
 *   node set     size, distances             duration  nanoseconds
 * </pre>
 *
 * @param <T> a value type as {@link habemus.protocol.ValueTypeCheck} accepts it
 */
public final class Codec<T> {

    private enum NoTimer {}

    private final TypeCodec typeCodec;

    private Codec(TypeCodec typeCodec) {
        this.typeCodec = typeCodec;
    }

    /** @throws IllegalArgumentException if a part of the type cannot be encoded */
    public static <T> Codec<T> of(Class<T> type) {
        return new Codec<>(new TypeCodecResolver(NoTimer.class).of(type, Map.of()));
    }

    public static <S, M> Codec<M> ofMessages(Protocol<S, M> protocol) {
        return ofArgument(protocol, Protocol.class, 1);
    }

    public static <S, M> Codec<S> ofStates(Protocol<S, M> protocol) {
        return ofArgument(protocol, Protocol.class, 0);
    }

    public static <S, M, D> Codec<D> ofDurableStates(Durable<S, M, D> protocol) {
        return ofArgument(protocol, Durable.class, 2);
    }

    public static <S, M> Codec<Event<M>> ofEvents(Protocol<S, M> protocol) {
        return forProtocol(protocol, Event.class);
    }

    public static <S, M> Codec<Effect<M>> ofEffects(Protocol<S, M> protocol) {
        return forProtocol(protocol, Effect.class);
    }

    /**
     * Returns the codec of a type that contains messages or states of a protocol.
     *
     * @param type a generic type {@code T<M>} of messages, or {@code T<S, M>} of states and messages
     */
    public static <T> Codec<T> forProtocol(Protocol<?, ?> protocol, Class<?> type) {
        return forProtocol(protocol, type, TypeCodec.ScalarCodec.BYTES);
    }

    /**
     * As {@link #forProtocol}, but with the length and a checksum in place of each byte string. Equal values have equal
     * bytes; other values have other bytes, except by a collision of the checksum. What it reads names the digests.
     */
    public static <T> Codec<T> digestForProtocol(Protocol<?, ?> protocol, Class<?> type) {
        return forProtocol(protocol, type, TypeCodec.ScalarCodec.DIGEST);
    }

    private static <T> Codec<T> forProtocol(Protocol<?, ?> protocol, Class<?> type, TypeCodec byteStrings) {
        var bound = new HashMap<TypeVariable<?>, Type>();
        var parameters = type.getTypeParameters();
        for (int i = 0; i < parameters.length; i++) {
            int index = i + 2 - parameters.length; // messages are the last type parameter
            bound.put(parameters[i], argument(protocol.getClass(), Protocol.class, index, Map.of()));
        }
        return new Codec<>(new TypeCodecResolver(timerType(protocol), byteStrings).of(type, bound));
    }

    private static <T> Codec<T> ofArgument(Protocol<?, ?> protocol, Class<?> target, int index) {
        var type = argument(protocol.getClass(), target, index, Map.of());
        return new Codec<>(new TypeCodecResolver(timerType(protocol)).of(type, Map.of()));
    }

    private static Class<?> timerType(Protocol<?, ?> protocol) {
        return protocol instanceof Timed
                ? (Class<?>) argument(protocol.getClass(), Timed.class, 2, Map.of())
                : NoTimer.class;
    }

    /** The type argument with which a class implements an interface, directly or through its supertypes. */
    private static Type argument(Class<?> type, Class<?> target, int index, Map<TypeVariable<?>, Type> bound) {
        var parents =
                Stream.concat(Stream.of(type.getGenericInterfaces()), Stream.ofNullable(type.getGenericSuperclass()));
        for (Type parent : parents.toList()) {
            if (parent instanceof Class<?> plain && target.isAssignableFrom(plain)) {
                return argument(plain, target, index, Map.of());
            }
            if (parent instanceof ParameterizedType generic
                    && generic.getRawType() instanceof Class<?> raw
                    && target.isAssignableFrom(raw)) {
                var arguments = TypeCodecResolver.bindArguments(generic, bound);
                return raw == target
                        ? requireNonNull(arguments.get(target.getTypeParameters()[index]))
                        : argument(raw, target, index, arguments);
            }
        }
        throw new IllegalArgumentException(type.getName() + " must implement " + target.getSimpleName());
    }

    /** @throws IllegalArgumentException if the value is not of this type */
    public byte[] write(T value) {
        return write(value, 0, 0);
    }

    /**
     * As {@link #write(Object)}, with room for other content around the value, which saves a copy of a large one.
     *
     * @param before number of zero bytes before the value
     * @param after number of zero bytes after it
     */
    public byte[] write(T value, int before, int after) {
        var writer = new ByteWriter();
        writer.write(new byte[before]);
        typeCodec.write(value, writer);
        return writer.toBytes(after);
    }

    /** {@return the encoded value as an immutable byte string} */
    public ByteString writeByteString(T value) {
        return ByteString.of(write(value));
    }

    /**
     * Decodes a value from all remaining bytes.
     *
     * @throws MalformedInputException if the bytes are not exactly one value
     */
    @SuppressWarnings("unchecked") // the type codec was derived from the type
    public T read(ByteBuffer bytes) {
        var reader = new ByteReader(bytes);
        var value = (T) typeCodec.read(reader);
        MalformedInputException.unless(reader.remaining() == 0, () -> reader.remaining() + " bytes after the value");
        return value;
    }

    public T read(byte[] bytes) {
        return read(ByteBuffer.wrap(bytes));
    }
}
