package habemus.codec;

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

/** Finds the form of a type. What fills the open places of generic types is known from the outset. */
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
            Map.entry(ByteString.class, TypeCodec.ScalarCodec.BYTES),
            Map.entry(Duration.class, TypeCodec.ScalarCodec.DURATION),
            Map.entry(NodeSet.class, TypeCodec.ScalarCodec.NODE_SET));

    /** A tag is one byte. */
    private static final int MAX_KINDS = 1 << Byte.SIZE;

    /** Of handles that need not be adapted at each call. */
    private static final MethodType ACCESSOR = MethodType.methodType(Object.class, Object.class);

    private static final MethodType CONSTRUCTOR = MethodType.methodType(Object.class, Object[].class);

    private record Bound(Class<?> type, Map<TypeVariable<?>, Type> to) {}

    private final Class<?> alarms;
    private final Map<Bound, TypeCodec.RecursiveCodec> inProgress = new HashMap<>();

    /** @param alarms what an {@code Enum<?>} is one of */
    TypeCodecResolver(Class<?> alarms) {
        this.alarms = alarms;
    }

    TypeCodec of(Type type, Map<TypeVariable<?>, Type> bound) {
        var leaf = SCALARS.get(type);
        if (leaf != null) {
            return leaf;
        }
        return switch (type) {
            case TypeVariable<?> open when bound.containsKey(open) -> of(bound.get(open), Map.of());
            case ParameterizedType list
            when list.getRawType() == List.class -> listOf(of(list.getActualTypeArguments()[0], bound), type);
            case ParameterizedType some when some.getRawType() == Enum.class -> enumCodec(alarms);
            case ParameterizedType generic -> of((Class<?>) generic.getRawType(), bindArguments(generic, bound));
            case Class<?> plain -> of(plain, bound);
            default -> throw new IllegalArgumentException("no bytes for " + type.getTypeName());
        };
    }

    private static TypeCodec listOf(TypeCodec element, Type type) {
        if (!element.isNeverEmpty()) {
            throw new IllegalArgumentException(type.getTypeName() + " may be long and yet have no bytes");
        }
        return new TypeCodec.ListCodec(element);
    }

    /** What the open places of a generic type are, if those around it are these. */
    static Map<TypeVariable<?>, Type> bindArguments(ParameterizedType generic, Map<TypeVariable<?>, Type> bound) {
        var inner = new HashMap<TypeVariable<?>, Type>();
        var variables = ((Class<?>) generic.getRawType()).getTypeParameters();
        for (int i = 0; i < variables.length; i++) {
            var given = generic.getActualTypeArguments()[i];
            inner.put(variables[i], bound.getOrDefault(given, given));
        }
        return inner;
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
        throw new IllegalArgumentException("no bytes for " + type.getName());
    }

    private static TypeCodec enumCodec(Class<?> type) {
        return new TypeCodec.EnumCodec(List.of(type.getEnumConstants()));
    }

    /** A type that is made of itself meets the form of itself. */
    private TypeCodec sealedCodec(Class<?> type, Map<TypeVariable<?>, Type> bound) {
        var key = new Bound(type, bound);
        var known = inProgress.get(key);
        if (known != null) {
            return known;
        }
        var recursiveCodec = new TypeCodec.RecursiveCodec();
        inProgress.put(key, recursiveCodec);
        var typeCodec = kinds(type, bound);
        recursiveCodec.resolve(typeCodec);
        inProgress.remove(key);
        return typeCodec;
    }

    private TypeCodec kinds(Class<?> type, Map<TypeVariable<?>, Type> bound) {
        var permitted = permittedTypes(type);
        var typeCodecs = new ArrayList<TypeCodec>();
        var tags = new HashMap<Class<?>, Integer>();
        for (var kind : permitted) {
            recordsOf(kind).forEach(leaf -> tags.put(leaf, typeCodecs.size()));
            typeCodecs.add(of(kind, inheritBindings(kind, type, bound)));
        }
        return new TypeCodec.SealedTypeCodec(type, List.copyOf(typeCodecs), Map.copyOf(tags));
    }

    /** In the order of their tags. */
    private static List<Class<?>> permittedTypes(Class<?> type) {
        var permitted = List.of(type.getPermittedSubclasses());
        var tagged = type.getAnnotation(WireTags.class);
        if (tagged == null || tagged.value().length != permitted.size()) {
            throw new IllegalArgumentException(type.getName() + " must list its permitted types in @WireTags");
        }
        var inOrder = List.of(tagged.value());
        if (!inOrder.containsAll(permitted) || inOrder.size() > MAX_KINDS) {
            throw new IllegalArgumentException("@WireTags of " + type.getName() + " must list at most " + MAX_KINDS
                    + " permitted types, each once");
        }
        return inOrder;
    }

    private static Stream<Class<?>> recordsOf(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(TypeCodecResolver::recordsOf)
                : Stream.of(type);
    }

    /** What a kind calls by names of its own, in the terms of what it is a kind of. */
    private static Map<TypeVariable<?>, Type> inheritBindings(
            Class<?> kind, Class<?> type, Map<TypeVariable<?>, Type> bound) {
        var inner = new HashMap<TypeVariable<?>, Type>();
        for (Type parent : kind.getGenericInterfaces()) {
            if (parent instanceof ParameterizedType generic && generic.getRawType() == type) {
                var given = generic.getActualTypeArguments();
                for (int i = 0; i < given.length; i++) {
                    var filling = bound.get(type.getTypeParameters()[i]);
                    if (given[i] instanceof TypeVariable<?> own && filling != null) {
                        inner.put(own, filling);
                    }
                }
            }
        }
        return inner;
    }

    private TypeCodec recordCodec(Class<?> type, Map<TypeVariable<?>, Type> bound) {
        var components = type.getRecordComponents();
        var types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            var lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            var accessors = new ArrayList<MethodHandle>();
            var typeCodecs = new ArrayList<TypeCodec>();
            for (var component : components) {
                accessors.add(lookup.unreflect(component.getAccessor()).asType(ACCESSOR));
                typeCodecs.add(of(component.getGenericType(), bound));
            }
            var maker = lookup.unreflectConstructor(type.getDeclaredConstructor(types))
                    .asSpreader(Object[].class, types.length)
                    .asType(CONSTRUCTOR);
            return new TypeCodec.RecordCodec(type, maker, List.copyOf(accessors), List.copyOf(typeCodecs));
        } catch (ReflectiveOperationException closed) {
            throw new IllegalArgumentException("cannot look into " + type.getName(), closed);
        }
    }
}
