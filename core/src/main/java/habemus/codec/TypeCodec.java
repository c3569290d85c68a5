package habemus.codec;

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
interface TypeCodec {

    void write(Object value, ByteWriter byteWriter);

    /** @throws MalformedInputException if no value was written so */
    Object read(ByteReader byteReader);

    /** Whether every value takes a byte at least. */
    default boolean isNeverEmpty() {
        return true;
    }

    /** A whole number, of 64 bits or fewer. */
    enum IntegerCodec implements TypeCodec {
        INT,
        LONG;

        @Override
        public void write(Object value, ByteWriter byteWriter) {
            byteWriter.writeVarint(((Number) value).longValue());
        }

        @Override
        public Object read(ByteReader byteReader) {
            long number = byteReader.readVarint();
            if (this == LONG) {
                return number;
            }
            MalformedInputException.unless(number == (int) number, number + " is too large for 32 bits");
            return (int) number;
        }
    }

    enum ScalarCodec implements TypeCodec {
        BOOLEAN {
            @Override
            public void write(Object value, ByteWriter byteWriter) {
                byteWriter.write((Boolean) value ? 1 : 0);
            }

            @Override
            public Object read(ByteReader byteReader) {
                int bit = byteReader.readByte();
                MalformedInputException.unless(bit <= 1, bit + " is neither true nor false");
                return bit == 1;
            }
        },
        DOUBLE {
            @Override
            public void write(Object value, ByteWriter byteWriter) {
                byteWriter.write(ByteBuffer.allocate(Double.BYTES)
                        .putDouble((Double) value)
                        .array());
            }

            @Override
            public Object read(ByteReader byteReader) {
                MalformedInputException.unless(byteReader.remaining() >= Double.BYTES, "the bytes end within a number");
                return ByteBuffer.wrap(byteReader.readBytes(Double.BYTES)).getDouble();
            }
        },
        STRING {
            @Override
            public void write(Object value, ByteWriter byteWriter) {
                var bytes = ((String) value).getBytes(UTF_8);
                byteWriter.writeVarint(bytes.length);
                byteWriter.write(bytes);
            }

            @Override
            public Object read(ByteReader byteReader) {
                return new String(byteReader.readBytes(byteReader.readCount()), UTF_8);
            }
        },
        BYTES {
            @Override
            public void write(Object value, ByteWriter byteWriter) {
                var bytes = ((ByteString) value).bytes();
                byteWriter.writeVarint(bytes.length);
                byteWriter.write(bytes);
            }

            @Override
            public Object read(ByteReader byteReader) {
                return ByteString.wrap(byteReader.readBytes(byteReader.readCount()));
            }
        },
        DURATION {
            @Override
            public void write(Object value, ByteWriter byteWriter) {
                byteWriter.writeVarint(((Duration) value).toNanos());
            }

            @Override
            public Object read(ByteReader byteReader) {
                return Duration.ofNanos(byteReader.readVarint());
            }
        },
        /** Lowest first; each as the distance from the one before. */
        NODE_SET {
            @Override
            public void write(Object value, ByteWriter byteWriter) {
                var nodes = (NodeSet) value;
                byteWriter.writeVarint(nodes.size());
                int before = 0;
                for (NodeId node : nodes) {
                    byteWriter.writeVarint(node.number() - before);
                    before = node.number();
                }
            }

            @Override
            public Object read(ByteReader byteReader) {
                var nodes = new ArrayList<NodeId>();
                long number = 0;
                for (int left = byteReader.readCount(); left > 0; left--) {
                    long distance = byteReader.readVarint();
                    MalformedInputException.unless(distance > 0 && distance < NodeId.LIMIT - number, "no set of nodes");
                    number += distance;
                    nodes.add(new NodeId((int) number));
                }
                return NodeSet.of(nodes);
            }
        }
    }

    record ListCodec(TypeCodec element) implements TypeCodec {
        @Override
        public void write(Object value, ByteWriter byteWriter) {
            var list = (List<?>) value;
            byteWriter.writeVarint(list.size());
            list.forEach(each -> element.write(each, byteWriter));
        }

        @Override
        public Object read(ByteReader byteReader) {
            int count = byteReader.readCount();
            var list = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                list.add(element.read(byteReader));
            }
            return List.copyOf(list);
        }
    }

    /** A constant, by its place. */
    record EnumCodec(List<?> constants) implements TypeCodec {
        @Override
        public void write(Object value, ByteWriter byteWriter) {
            byteWriter.writeVarint(((Enum<?>) value).ordinal());
        }

        @Override
        public Object read(ByteReader byteReader) {
            long which = byteReader.readVarint();
            MalformedInputException.unless(which >= 0 && which < constants.size(), "there is no constant " + which);
            return constants.get((int) which);
        }
    }

    /** The parts of a record, one after the other. */
    record RecordCodec(
            Class<?> type, MethodHandle constructor, List<MethodHandle> accessors, List<TypeCodec> components)
            implements TypeCodec {
        @Override
        public boolean isNeverEmpty() {
            return components.stream().anyMatch(TypeCodec::isNeverEmpty);
        }

        @Override
        public void write(Object value, ByteWriter byteWriter) {
            for (int i = 0; i < accessors.size(); i++) {
                try {
                    components.get(i).write((Object) accessors.get(i).invokeExact(value), byteWriter);
                } catch (Throwable broken) {
                    throw new IllegalArgumentException("cannot be written: " + value, broken);
                }
            }
        }

        @Override
        public Object read(ByteReader byteReader) {
            byteReader.enterValue();
            var values = new Object[components.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = components.get(i).read(byteReader);
            }
            byteReader.exitValue();
            try {
                return (Object) constructor.invokeExact(values);
            } catch (Throwable refused) {
                throw new MalformedInputException("no " + type.getSimpleName() + ": " + refused.getMessage(), refused);
            }
        }
    }

    /** Which of the permitted records, in the order of their names, then its parts. */
    record SealedTypeCodec(Class<?> type, List<TypeCodec> typeCodecs, Map<Class<?>, Integer> tags)
            implements TypeCodec {
        @Override
        public void write(Object value, ByteWriter byteWriter) {
            Integer tag = tags.get(value.getClass());
            if (tag == null) {
                throw new IllegalArgumentException(value + " is no " + type.getName());
            }
            byteWriter.write(tag);
            typeCodecs.get(tag).write(value, byteWriter);
        }

        @Override
        public Object read(ByteReader byteReader) {
            int tag = byteReader.readByte();
            MalformedInputException.unless(
                    tag < typeCodecs.size(), "there is no " + type.getSimpleName() + " of kind " + tag);
            return typeCodecs.get(tag).read(byteReader);
        }
    }

    /** A form within itself. How deep, {@link ByteReader} limits. */
    final class RecursiveCodec implements TypeCodec {
        private @Nullable TypeCodec typeCodec;

        void resolve(TypeCodec known) {
            typeCodec = known;
        }

        @Override
        public void write(Object value, ByteWriter byteWriter) {
            requireNonNull(typeCodec).write(value, byteWriter);
        }

        @Override
        public Object read(ByteReader byteReader) {
            return requireNonNull(typeCodec).read(byteReader);
        }
    }
}
