package habemus.protocol;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Rejects algorithms whose states, messages or durable states are not immutable values. Allowed are records, sealed
 * interfaces of records, enums, numbers, text, {@link NodeSet} and {@link List}.
 *
 * <p>An array compares by reference, a {@code Set} iterates in another order in every JVM, and a lambda has no value.
 * With any of them a replay could differ from the run, long after the cause.
 */
public final class ValueTypeCheck {

    private static final Set<Class<?>> LEAF_TYPES = Set.of(
            Boolean.class,
            Integer.class,
            Long.class,
            Double.class,
            String.class,
            Duration.class,
            NodeSet.class,
            ByteString.class);

    /** The classes of the lists that List.of, List.copyOf, Stream.toList and their subList return. */
    private static final Set<Class<?>> IMMUTABLE_LISTS = new HashSet<>(List.of(
            List.of().getClass(),
            List.of(1).getClass(),
            List.of(1, 2, 3).getClass(),
            List.of(1, 2, 3).subList(0, 1).getClass(),
            Stream.of(1, 2, 3).toList().getClass(),
            Stream.of(1, 2, 3).toList().subList(0, 1).getClass()));

    private final Set<Class<?>> checkedTypes = new HashSet<>();

    private ValueTypeCheck() {}

    /**
     * Checks the types of an algorithm.
     *
     * @throws IllegalArgumentException if a part of them is not a value; the message names the part and the reason
     */
    public static void check(Protocol<?, ?> protocol) {
        var typeCheck = new ValueTypeCheck();
        typeCheck.visit(protocol.getClass(), Map.of());
    }

    /**
     * Checks what the types do not say: that the lists in a state or message are immutable.
     *
     * @throws IllegalArgumentException if a list is mutable
     */
    public static void checkValue(Object value) {
        if (value instanceof Neighbourhood) { // created by the runtime, not by the algorithm
            return;
        }
        if (value instanceof List<?> list) {
            var type = list.getClass();
            rejectIf(!IMMUTABLE_LISTS.contains(type), type.getName(), "a mutable list; use List.copyOf");
            list.forEach(ValueTypeCheck::checkValue);
        } else if (value instanceof Record parts) {
            RecordFields.of(parts.getClass()).forEach(part -> checkValue(RecordFields.get(part, parts)));
        }
    }

    /** Finds the protocol interfaces of an algorithm: their type arguments are its states, messages and timers. */
    private void visit(Class<?> type, Map<TypeVariable<?>, Type> bound) {
        var parents = new ArrayList<Type>(List.of(type.getGenericInterfaces()));
        if (type.getGenericSuperclass() != null) {
            parents.add(type.getGenericSuperclass());
        }
        for (Type parent : parents) {
            if (parent instanceof Class<?> plain) {
                visit(plain, bound);
            } else if (parent instanceof ParameterizedType generic) {
                var raw = (Class<?>) generic.getRawType();
                var inner = new HashMap<TypeVariable<?>, Type>();
                for (int i = 0; i < raw.getTypeParameters().length; i++) {
                    var argument = generic.getActualTypeArguments()[i];
                    inner.put(raw.getTypeParameters()[i], bound.getOrDefault(argument, argument));
                    if (argument instanceof ParameterizedType && Protocol.class.isAssignableFrom(raw)) {
                        checkTypeArguments(argument, bound);
                    }
                }
                if (Protocol.class.isAssignableFrom(raw) && raw.isInterface()) {
                    inner.values().forEach(value -> checkType(value, value.getTypeName()));
                }
                visit(raw, inner);
            }
        }
    }

    /** Checks the types that are bound to the type variables in {@code type}. */
    private void checkTypeArguments(Type type, Map<TypeVariable<?>, Type> bound) {
        if (type instanceof ParameterizedType generic) {
            for (Type argument : generic.getActualTypeArguments()) {
                checkTypeArguments(argument, bound);
            }
        } else if (type instanceof TypeVariable<?> && bound.containsKey(type)) {
            checkType(bound.get(type), bound.get(type).getTypeName());
        }
    }

    private void checkType(Type type, String path) {
        switch (type) {
            case ParameterizedType named when named.getRawType() == Enum.class -> {}
            case GenericArrayType array -> rejectIf(true, path, "an array, which compares by reference; use a List");
            case WildcardType wildcard -> {
                for (Type upper : wildcard.getUpperBounds()) {
                    checkType(upper, path);
                }
            }
            case ParameterizedType list
            when list.getRawType() == List.class -> checkType(list.getActualTypeArguments()[0], path + " of");
            case ParameterizedType generic -> {
                checkType(generic.getRawType(), path);
                for (Type argument : generic.getActualTypeArguments()) {
                    checkType(argument, path);
                }
            }
            case Class<?> plain -> checkType(plain, path);
            default -> {} // a type variable: the embedded algorithm that binds it is checked on its own
        }
    }

    private void checkType(Class<?> type, String path) {
        if (type.isPrimitive()
                || type.isEnum()
                || type == Enum.class
                || LEAF_TYPES.contains(type)
                || !checkedTypes.add(type)) {
            return;
        }
        rejectIf(type.isArray(), path, "an array, which compares by reference; use a List");
        if (type.isRecord()) {
            for (var part : type.getRecordComponents()) {
                checkType(part.getGenericType(), path + "." + part.getName());
            }
        } else {
            rejectIf(
                    !type.isSealed() || !type.isInterface(),
                    path,
                    "a " + type.getName() + ", which is not a value; use records, sealed interfaces, List or NodeSet");
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                checkType(permitted, permitted.getTypeName());
            }
        }
    }

    private static void rejectIf(boolean isInvalid, String path, String reason) {
        if (isInvalid) {
            throw new IllegalArgumentException(path + " is " + reason);
        }
    }
}
