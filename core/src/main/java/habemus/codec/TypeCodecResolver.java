package habemus.codec;

import habemus.protocol.ByteString;
import habemus.protocol.NodeSet;
import habemus.protocol.WireTags;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Derives the codec of a type by reflection. The bindings of its type variables are known. */
final class TypeCodecResolver {

    private static final Map<Type, TypeCodec> SCALARS = Map.ofEntries(
            Map.entry(int.class, TypeCodec.IntegerCodec.INT),
            Map.entry(Integer.class, TypeCodec.IntegerCodec.INT),
            Map.entry(long.class, TypeCodec.IntegerCodec.LONG),
            Map.entry(Long.class, TypeCodec.IntegerCodec.LONG),
            Map.entry(boolean.class, TypeCodec.ScalarCodec.BOOLEAN),
            Map.entry(Boolean.class, TypeCodec.ScalarCodec.BOOLEAN),
            Map.entry(double.class, TypeCodec.ScalarCodec.DOUBLE),
            Map.entry(Double.class, TypeCodec.ScalarCodec.DOUBLE),
            Map.entry(String.class, TypeCodec.ScalarCodec.STRING),
            Map.entry(Duration.class, TypeCodec.ScalarCodec.DURATION),
            Map.entry(NodeSet.class, TypeCodec.ScalarCodec.NODE_SET));

    /** Number of values of a tag, which is one byte. */
    private static final int MAX_TAGS = 1 << Byte.SIZE;

    /** Exact types of the method handles, so that calls need no adaptation. */
    private static final MethodType ACCESSOR = MethodType.methodType(Object.class, Object.class);

    private static final MethodType CONSTRUCTOR = MethodType.methodType(Object.class, Object[].class);

    private record Bound(Class<?> type, Map<TypeVariable<?>, Type> to) {}

    private final Class<?> timerType;
    private final TypeCodec byteStrings;
    private final Map<Bound, TypeCodec.RecursiveCodec> inProgress = new HashMap<>();

    /** @param timerType the enum that {@code Enum<?>} stands for in effects and events */
    TypeCodecResolver(Class<?> timerType) {
        this(timerType, TypeCodec.ScalarCodec.BYTES);
    }

    TypeCodecResolver(Class<?> timerType, TypeCodec byteStrings) {
        this.timerType = timerType;
        this.byteStrings = byteStrings;
    }

    TypeCodec of(Type type, Map<TypeVariable<?>, Type> bound) {
        var scalar = SCALARS.get(type);
        if (scalar != null) {
            return scalar;
        }
        return switch (type) {
            case Class<?> bytes when bytes == ByteString.class -> byteStrings;
            case TypeVariable<?> open when bound.containsKey(open) -> of(bound.get(open), Map.of());
            case ParameterizedType list
            when list.getRawType() == List.class -> listOf(of(list.getActualTypeArguments()[0], bound), type);
            case ParameterizedType some when some.getRawType() == Enum.class -> enumCodec(timerType);
            case ParameterizedType generic -> of((Class<?>) generic.getRawType(), bindArguments(generic, bound));
            case Class<?> plain -> of(plain, bound);
            default -> throw new IllegalArgumentException("cannot encode type " + type.getTypeName());
        };
    }

    private static TypeCodec listOf(TypeCodec element, Type type) {
        if (!element.isNeverEmpty()) {
            throw new IllegalArgumentException("elements of " + type.getTypeName() + " must have at least one byte");
        }
        return new TypeCodec.ListCodec(element);
    }

    /** {@return the arguments of a generic type, with the bindings of the enclosing type applied} */
    static Map<TypeVariable<?>, Type> bindArguments(ParameterizedType generic, Map<TypeVariable<?>, Type> bound) {
        var arguments = new HashMap<TypeVariable<?>, Type>();
        var variables = ((Class<?>) generic.getRawType()).getTypeParameters();
        for (int i = 0; i < variables.length; i++) {
            var actual = generic.getActualTypeArguments()[i];
            arguments.put(variables[i], bound.getOrDefault(actual, actual));
        }
        return arguments;
    }

    private TypeCodec of(Class<?> type, Map<TypeVariable<?>, Type> bound) {
        if (type.isEnum()) {
            return enumCodec(type);
        }
        if (type.isRecord()) {
            return recordCodec(type, bound);
        }
        if (type.isSealed() && type.isInterface()) {
            return sealedCodec(type, bound);
        }
        throw new IllegalArgumentException("cannot encode type " + type.getName());
    }

    private static TypeCodec enumCodec(Class<?> type) {
        return new TypeCodec.EnumCodec(List.of(type.getEnumConstants()));
    }

    /** A sealed type may contain itself; inside its own codec a placeholder stands for it. */
    private TypeCodec sealedCodec(Class<?> type, Map<TypeVariable<?>, Type> bound) {
        var key = new Bound(type, bound);
        var known = inProgress.get(key);
        if (known != null) {
            return known;
        }
        var placeholder = new TypeCodec.RecursiveCodec();
        inProgress.put(key, placeholder);
        var codec = permittedCodecs(type, bound);
        placeholder.resolve(codec);
        inProgress.remove(key);
        return codec;
    }

    private TypeCodec permittedCodecs(Class<?> type, Map<TypeVariable<?>, Type> bound) {
        var permitted = permittedTypes(type);
        var codecs = new ArrayList<TypeCodec>();
        var tags = new HashMap<Class<?>, Integer>();
        for (var permittedType : permitted) {
            recordsOf(permittedType).forEach(leaf -> tags.put(leaf, codecs.size()));
            codecs.add(of(permittedType, inheritBindings(permittedType, type, bound)));
        }
        return new TypeCodec.SealedTypeCodec(type, List.copyOf(codecs), Map.copyOf(tags));
    }

    /** The permitted types, in the order of their tags. */
    private static List<Class<?>> permittedTypes(Class<?> type) {
        var permitted = List.of(type.getPermittedSubclasses());
        var tagList = type.getAnnotation(WireTags.class);
        if (tagList == null || tagList.value().length != permitted.size()) {
            throw new IllegalArgumentException(type.getName() + " must list its permitted types in @WireTags");
        }
        var ordered = List.of(tagList.value());
        if (!ordered.containsAll(permitted) || ordered.size() > MAX_TAGS) {
            throw new IllegalArgumentException("@WireTags of " + type.getName() + " must list at most " + MAX_TAGS
                    + " permitted types, each once");
        }
        return ordered;
    }

    private static Stream<Class<?>> recordsOf(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(TypeCodecResolver::recordsOf)
                : Stream.of(type);
    }

    /** The bindings of a permitted type's own type variables, derived from those of the sealed type. */
    private static Map<TypeVariable<?>, Type> inheritBindings(
            Class<?> permittedType, Class<?> type, Map<TypeVariable<?>, Type> bound) {
        var arguments = new HashMap<TypeVariable<?>, Type>();
        for (Type parent : permittedType.getGenericInterfaces()) {
            if (parent instanceof ParameterizedType generic && generic.getRawType() == type) {
                var actual = generic.getActualTypeArguments();
                for (int i = 0; i < actual.length; i++) {
                    var binding = bound.get(type.getTypeParameters()[i]);
                    if (actual[i] instanceof TypeVariable<?> own && binding != null) {
                        arguments.put(own, binding);
                    }
                }
            }
        }
        return arguments;
    }

    private TypeCodec recordCodec(Class<?> type, Map<TypeVariable<?>, Type> bound) {
        var components = type.getRecordComponents();
        var types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            var lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            var accessors = new ArrayList<MethodHandle>();
            var codecs = new ArrayList<TypeCodec>();
            for (var component : components) {
                accessors.add(lookup.unreflect(component.getAccessor()).asType(ACCESSOR));
                codecs.add(of(component.getGenericType(), bound));
            }
            var constructor = lookup.unreflectConstructor(type.getDeclaredConstructor(types))
                    .asSpreader(Object[].class, types.length)
                    .asType(CONSTRUCTOR);
            return new TypeCodec.RecordCodec(type, constructor, List.copyOf(accessors), List.copyOf(codecs));
        } catch (ReflectiveOperationException inaccessible) {
            throw new IllegalArgumentException("cannot access the components of " + type.getName(), inaccessible);
        }
    }
}
