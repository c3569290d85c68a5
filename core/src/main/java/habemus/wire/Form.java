package habemus.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How values of one type are written, and read again. */
interface Form {

    void write(Object value, Sink sink);

    /** @throws Malformed if no value was written so */
    Object read(Source source);

    /** Whether every value takes a byte at least. */
    default boolean takesSpace() {
        return true;
    }

    /** A whole number, of 64 bits or fewer. */
    enum Whole implements Form {
        INT,
        LONG;

        @Override
        public void write(Object value, Sink sink) {
            sink.putNumber(((Number) value).longValue());
        }

        @Override
        public Object read(Source source) {
            long number = source.takeNumber();
            if (this == LONG) {
                return number;
            }
            Malformed.unless(number == (int) number, number + " is too large for 32 bits");
            return (int) number;
        }
    }

    enum Plain implements Form {
        FLAG {
            @Override
            public void write(Object value, Sink sink) {
                sink.put((Boolean) value ? 1 : 0);
            }

            @Override
            public Object read(Source source) {
                int bit = source.take();
                Malformed.unless(bit <= 1, bit + " is neither true nor false");
                return bit == 1;
            }
        },
        REAL {
            @Override
            public void write(Object value, Sink sink) {
                sink.put(ByteBuffer.allocate(Double.BYTES)
                        .putDouble((Double) value)
                        .array());
            }

            @Override
            public Object read(Source source) {
                Malformed.unless(source.left() >= Double.BYTES, "the bytes end within a number");
                return ByteBuffer.wrap(source.take(Double.BYTES)).getDouble();
            }
        },
        TEXT {
            @Override
            public void write(Object value, Sink sink) {
                var bytes = ((String) value).getBytes(UTF_8);
                sink.putNumber(bytes.length);
                sink.put(bytes);
            }

            @Override
            public Object read(Source source) {
                return new String(source.take(source.takeCount()), UTF_8);
            }
        },
        BLOB {
            @Override
            public void write(Object value, Sink sink) {
                var bytes = ((Blob) value).bytes();
                sink.putNumber(bytes.length);
                sink.put(bytes);
            }

            @Override
            public Object read(Source source) {
                return Blob.owning(source.take(source.takeCount()));
            }
        },
        TIME {
            @Override
            public void write(Object value, Sink sink) {
                sink.putNumber(((Duration) value).toNanos());
            }

            @Override
            public Object read(Source source) {
                return Duration.ofNanos(source.takeNumber());
            }
        },
        /** Lowest first; each as the distance from the one before. */
        NODES {
            @Override
            public void write(Object value, Sink sink) {
                var nodes = (NodeSet) value;
                sink.putNumber(nodes.size());
                int before = 0;
                for (NodeId node : nodes) {
                    sink.putNumber(node.number() - before);
                    before = node.number();
                }
            }

            @Override
            public Object read(Source source) {
                var nodes = new ArrayList<NodeId>();
                long number = 0;
                for (int left = source.takeCount(); left > 0; left--) {
                    long distance = source.takeNumber();
                    Malformed.unless(distance > 0 && distance < NodeId.LIMIT - number, "no set of nodes");
                    number += distance;
                    nodes.add(new NodeId((int) number));
                }
                return NodeSet.of(nodes);
            }
        }
    }

    record ListOf(Form element) implements Form {
        @Override
        public void write(Object value, Sink sink) {
            var list = (List<?>) value;
            sink.putNumber(list.size());
            list.forEach(each -> element.write(each, sink));
        }

        @Override
        public Object read(Source source) {
            int count = source.takeCount();
            var list = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                list.add(element.read(source));
            }
            return List.copyOf(list);
        }
    }

    /** A constant, by its place. */
    record OneOf(List<?> constants) implements Form {
        @Override
        public void write(Object value, Sink sink) {
            sink.putNumber(((Enum<?>) value).ordinal());
        }

        @Override
        public Object read(Source source) {
            long which = source.takeNumber();
            Malformed.unless(which >= 0 && which < constants.size(), "there is no constant " + which);
            return constants.get((int) which);
        }
    }

    /** The parts of a record, one after the other. */
    record Parts(Class<?> type, MethodHandle maker, List<MethodHandle> accessors, List<Form> parts) implements Form {
        @Override
        public boolean takesSpace() {
            return parts.stream().anyMatch(Form::takesSpace);
        }

        @Override
        public void write(Object value, Sink sink) {
            for (int i = 0; i < accessors.size(); i++) {
                try {
                    parts.get(i).write((Object) accessors.get(i).invokeExact(value), sink);
                } catch (Throwable broken) {
                    throw new IllegalArgumentException("cannot be written: " + value, broken);
                }
            }
        }

        @Override
        public Object read(Source source) {
            source.descend();
            var values = new Object[parts.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = parts.get(i).read(source);
            }
            source.ascend();
            try {
                return (Object) maker.invokeExact(values);
            } catch (Throwable refused) {
                throw new Malformed("no " + type.getSimpleName() + ": " + refused.getMessage(), refused);
            }
        }
    }

    /** Which of the permitted records, in the order of their names, then its parts. */
    record Choice(Class<?> type, List<Form> forms, Map<Class<?>, Integer> tags) implements Form {
        @Override
        public void write(Object value, Sink sink) {
            Integer tag = tags.get(value.getClass());
            if (tag == null) {
                throw new IllegalArgumentException(value + " is no " + type.getName());
            }
            sink.put(tag);
            forms.get(tag).write(value, sink);
        }

        @Override
        public Object read(Source source) {
            int tag = source.take();
            Malformed.unless(tag < forms.size(), "there is no " + type.getSimpleName() + " of kind " + tag);
            return forms.get(tag).read(source);
        }
    }

    /** A form within itself. How deep, {@link Source} limits. */
    final class Again implements Form {
        private @Nullable Form form;

        void become(Form known) {
            form = known;
        }

        @Override
        public void write(Object value, Sink sink) {
            requireNonNull(form).write(value, sink);
        }

        @Override
        public Object read(Source source) {
            return requireNonNull(form).read(source);
        }
    }
}
