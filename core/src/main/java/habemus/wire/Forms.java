package habemus.wire;

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
final class Forms {

    private static final Map<Type, Form> LEAVES = Map.ofEntries(
            Map.entry(int.class, Form.Whole.INT),
            Map.entry(Integer.class, Form.Whole.INT),
            Map.entry(long.class, Form.Whole.LONG),
            Map.entry(Long.class, Form.Whole.LONG),
            Map.entry(boolean.class, Form.Plain.FLAG),
            Map.entry(Boolean.class, Form.Plain.FLAG),
            Map.entry(double.class, Form.Plain.REAL),
            Map.entry(Double.class, Form.Plain.REAL),
            Map.entry(String.class, Form.Plain.TEXT),
            Map.entry(Blob.class, Form.Plain.BLOB),
            Map.entry(Duration.class, Form.Plain.TIME),
            Map.entry(NodeSet.class, Form.Plain.NODES));

    /** A tag is one byte. */
    private static final int MAX_KINDS = 1 << Byte.SIZE;

    /** Of handles that need not be adapted at each call. */
    private static final MethodType ACCESSOR = MethodType.methodType(Object.class, Object.class);

    private static final MethodType MAKER = MethodType.methodType(Object.class, Object[].class);

    private record Bound(Class<?> type, Map<TypeVariable<?>, Type> to) {}

    private final Class<?> alarms;
    private final Map<Bound, Form.Again> begun = new HashMap<>();

    /** @param alarms what an {@code Enum<?>} is one of */
    Forms(Class<?> alarms) {
        this.alarms = alarms;
    }

    Form of(Type type, Map<TypeVariable<?>, Type> bound) {
        var leaf = LEAVES.get(type);
        if (leaf != null) {
            return leaf;
        }
        return switch (type) {
            case TypeVariable<?> open when bound.containsKey(open) -> of(bound.get(open), Map.of());
            case ParameterizedType list
            when list.getRawType() == List.class -> listOf(of(list.getActualTypeArguments()[0], bound), type);
            case ParameterizedType some when some.getRawType() == Enum.class -> constants(alarms);
            case ParameterizedType generic -> of((Class<?>) generic.getRawType(), filled(generic, bound));
            case Class<?> plain -> of(plain, bound);
            default -> throw new IllegalArgumentException("no bytes for " + type.getTypeName());
        };
    }

    private static Form listOf(Form element, Type type) {
        if (!element.takesSpace()) {
            throw new IllegalArgumentException(type.getTypeName() + " may be long and yet have no bytes");
        }
        return new Form.ListOf(element);
    }

    /** What the open places of a generic type are, if those around it are these. */
    static Map<TypeVariable<?>, Type> filled(ParameterizedType generic, Map<TypeVariable<?>, Type> bound) {
        var inner = new HashMap<TypeVariable<?>, Type>();
        var variables = ((Class<?>) generic.getRawType()).getTypeParameters();
        for (int i = 0; i < variables.length; i++) {
            var given = generic.getActualTypeArguments()[i];
            inner.put(variables[i], bound.getOrDefault(given, given));
        }
        return inner;
    }

    private Form of(Class<?> type, Map<TypeVariable<?>, Type> bound) {
        if (type.isEnum()) {
            return constants(type);
        }
        if (type.isRecord()) {
            return parts(type, bound);
        }
        if (type.isSealed() && type.isInterface()) {
            return choice(type, bound);
        }
        throw new IllegalArgumentException("no bytes for " + type.getName());
    }

    private static Form constants(Class<?> type) {
        return new Form.OneOf(List.of(type.getEnumConstants()));
    }

    /** A type that is made of itself meets the form of itself. */
    private Form choice(Class<?> type, Map<TypeVariable<?>, Type> bound) {
        var key = new Bound(type, bound);
        var known = begun.get(key);
        if (known != null) {
            return known;
        }
        var again = new Form.Again();
        begun.put(key, again);
        var form = kinds(type, bound);
        again.become(form);
        begun.remove(key);
        return form;
    }

    private Form kinds(Class<?> type, Map<TypeVariable<?>, Type> bound) {
        var permitted = permittedTypes(type);
        var forms = new ArrayList<Form>();
        var tags = new HashMap<Class<?>, Integer>();
        for (var kind : permitted) {
            recordsOf(kind).forEach(leaf -> tags.put(leaf, forms.size()));
            forms.add(of(kind, handedDown(kind, type, bound)));
        }
        return new Form.Choice(type, List.copyOf(forms), Map.copyOf(tags));
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
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(Forms::recordsOf)
                : Stream.of(type);
    }

    /** What a kind calls by names of its own, in the terms of what it is a kind of. */
    private static Map<TypeVariable<?>, Type> handedDown(
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

    private Form parts(Class<?> type, Map<TypeVariable<?>, Type> bound) {
        var components = type.getRecordComponents();
        var types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            var lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            var accessors = new ArrayList<MethodHandle>();
            var forms = new ArrayList<Form>();
            for (var component : components) {
                accessors.add(lookup.unreflect(component.getAccessor()).asType(ACCESSOR));
                forms.add(of(component.getGenericType(), bound));
            }
            var maker = lookup.unreflectConstructor(type.getDeclaredConstructor(types))
                    .asSpreader(Object[].class, types.length)
                    .asType(MAKER);
            return new Form.Parts(type, maker, List.copyOf(accessors), List.copyOf(forms));
        } catch (ReflectiveOperationException closed) {
            throw new IllegalArgumentException("cannot look into " + type.getName(), closed);
        }
    }
}
