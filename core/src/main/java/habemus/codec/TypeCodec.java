package habemus.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import habemus.protocol.ByteString;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes values of one type, as part of a {@link Codec}. */
interface TypeCodec {

    void write(Object value, ByteWriter writer);

    /** @throws MalformedInputException if the bytes are no value of this type */
    Object read(ByteReader reader);

    /** {@return whether every value has at least one byte} */
    default boolean isNeverEmpty() {
        return true;
    }

    /** An integer of 32 or 64 bits, as a variable-length number. */
    enum IntegerCodec implements TypeCodec {
        INT,
        LONG;

        @Override
        public void write(Object value, ByteWriter writer) {
            writer.writeVarint(((Number) value).longValue());
        }

        @Override
        public Object read(ByteReader reader) {
            long number = reader.readVarint();
            if (this == LONG) {
                return number;
            }
            MalformedInputException.unless(number == (int) number, () -> "integer must fit 32 bits, was " + number);
            return (int) number;
        }
    }

    enum ScalarCodec implements TypeCodec {
        BOOLEAN {
            @Override
            public void write(Object value, ByteWriter writer) {
                writer.write((Boolean) value ? 1 : 0);
            }

            @Override
            public Object read(ByteReader reader) {
                int flag = reader.readByte();
                MalformedInputException.unless(flag <= 1, () -> "boolean must be 0 or 1, was " + flag);
                return flag == 1;
            }
        },
        DOUBLE {
            @Override
            public void write(Object value, ByteWriter writer) {
                writer.write(ByteBuffer.allocate(Double.BYTES)
                        .putDouble((Double) value)
                        .array());
            }

            @Override
            public Object read(ByteReader reader) {
                MalformedInputException.unless(reader.remaining() >= Double.BYTES, () -> "input ends within a double");
                return ByteBuffer.wrap(reader.readBytes(Double.BYTES)).getDouble();
            }
        },
        STRING {
            @Override
            public void write(Object value, ByteWriter writer) {
                var bytes = ((String) value).getBytes(UTF_8);
                writer.writeVarint(bytes.length);
                writer.write(bytes);
            }

            @Override
            public Object read(ByteReader reader) {
                return new String(reader.readBytes(reader.readCount()), UTF_8);
            }
        },
        BYTES {
            @Override
            public void write(Object value, ByteWriter writer) {
                var bytes = ((ByteString) value).toByteArray();
                writer.writeVarint(bytes.length);
                writer.write(bytes);
            }

            @Override
            public Object read(ByteReader reader) {
                return ByteString.of(reader.readBytes(reader.readCount()));
            }
        },
        /** The length and the checksum of a byte string. Reads as the text {@code #length:checksum}. */
        DIGEST {
            @Override
            public void write(Object value, ByteWriter writer) {
                var bytes = (ByteString) value;
                var crc = new CRC32C();
                crc.update(bytes.asByteBuffer());
                writer.writeVarint(bytes.size());
                writer.writeVarint(crc.getValue());
            }

            @Override
            public Object read(ByteReader reader) {
                return ByteString.ofText("#" + reader.readVarint() + ":" + Long.toHexString(reader.readVarint()));
            }
        },
        DURATION {
            @Override
            public void write(Object value, ByteWriter writer) {
                writer.writeVarint(((Duration) value).toNanos());
            }

            @Override
            public Object read(ByteReader reader) {
                return Duration.ofNanos(reader.readVarint());
            }
        },
        /** Nodes in ascending order, each as the distance from the previous one. */
        NODE_SET {
            @Override
            public void write(Object value, ByteWriter writer) {
                var nodes = (NodeSet) value;
                writer.writeVarint(nodes.size());
                int previous = 0;
                for (NodeId node : nodes) {
                    writer.writeVarint(node.number() - previous);
                    previous = node.number();
                }
            }

            @Override
            public Object read(ByteReader reader) {
                var nodes = new ArrayList<NodeId>();
                long number = 0;
                for (int remaining = reader.readCount(); remaining > 0; remaining--) {
                    long distance = reader.readVarint();
                    MalformedInputException.unless(
                            distance > 0 && distance < NodeId.LIMIT - number,
                            () -> "distance in node set must be positive, was " + distance);
                    number += distance;
                    nodes.add(new NodeId((int) number));
                }
                return NodeSet.of(nodes);
            }
        }
    }

    record ListCodec(TypeCodec element) implements TypeCodec {
        @Override
        public void write(Object value, ByteWriter writer) {
            var list = (List<?>) value;
            writer.writeVarint(list.size());
            for (int i = 0; i < list.size(); i++) {
                element.write(list.get(i), writer);
            }
        }

        @Override
        public Object read(ByteReader reader) {
            int count = reader.readCount();
            var list = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                list.add(element.read(reader));
            }
            return List.copyOf(list);
        }
    }

    /** A constant, as its ordinal. */
    record EnumCodec(List<?> constants) implements TypeCodec {
        @Override
        public void write(Object value, ByteWriter writer) {
            writer.writeVarint(((Enum<?>) value).ordinal());
        }

        @Override
        public Object read(ByteReader reader) {
            long ordinal = reader.readVarint();
            MalformedInputException.unless(
                    ordinal >= 0 && ordinal < constants.size(),
                    () -> "ordinal must be from 0 to " + (constants.size() - 1) + ", was " + ordinal);
            return constants.get((int) ordinal);
        }
    }

    /** The components of a record, in their order. */
    record RecordCodec(
            Class<?> type, MethodHandle constructor, List<MethodHandle> accessors, List<TypeCodec> components)
            implements TypeCodec {
        @Override
        public boolean isNeverEmpty() {
            return components.stream().anyMatch(TypeCodec::isNeverEmpty);
        }

        @Override
        public void write(Object value, ByteWriter writer) {
            for (int i = 0; i < accessors.size(); i++) {
                try {
                    components.get(i).write((Object) accessors.get(i).invokeExact(value), writer);
                } catch (Throwable thrown) {
                    throw new IllegalArgumentException("cannot encode " + value, thrown);
                }
            }
        }

        @Override
        public Object read(ByteReader reader) {
            reader.enterValue();
            var values = new Object[components.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = components.get(i).read(reader);
            }
            reader.exitValue();
            try {
                return (Object) constructor.invokeExact(values);
            } catch (Throwable thrown) {
                throw new MalformedInputException(
                        "invalid " + type.getSimpleName() + ": " + thrown.getMessage(), thrown);
            }
        }
    }

    /** The tag of a permitted type, then its value. */
    record SealedTypeCodec(Class<?> type, List<TypeCodec> permitted, Map<Class<?>, Integer> tags) implements TypeCodec {
        @Override
        public void write(Object value, ByteWriter writer) {
            Integer tag = tags.get(value.getClass());
            if (tag == null) {
                throw new IllegalArgumentException(value + " must be a " + type.getName());
            }
            writer.write(tag);
            permitted.get(tag).write(value, writer);
        }

        @Override
        public Object read(ByteReader reader) {
            int tag = reader.readByte();
            MalformedInputException.unless(
                    tag < permitted.size(), () -> "unknown tag of " + type.getSimpleName() + ": " + tag);
            return permitted.get(tag).read(reader);
        }
    }

    /** Stands for the codec of a type within itself. {@link ByteReader} limits the depth. */
    final class RecursiveCodec implements TypeCodec {
        private @Nullable TypeCodec codec;

        void resolve(TypeCodec known) {
            codec = known;
        }

        @Override
        public void write(Object value, ByteWriter writer) {
            requireNonNull(codec).write(value, writer);
        }

        @Override
        public Object read(ByteReader reader) {
            return requireNonNull(codec).read(reader);
        }
    }
}
