package habemus.harness.attack;

import habemus.world.SeededRandom;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;

/**
 * Mutates valid frames. Most of a frame stays valid, so that it passes the first checks of its decoder. The seed and
 * the number of a frame determine it, so that any one of millions can be made again.
 */
final class FrameMutator {

    private static final int MAX_EDITS = 2;
    private static final int MAX_INSERTED_BYTES = 16;
    private static final int[] BOUNDARY_BYTES = {0, 1, 2, 0x7F, 0x80, 0x81, 0xFE, 0xFF};

    /** The largest number of seven bits a byte, and one that is too long. */
    private static final byte[] LONG_NUMBER = {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 0};

    private final long seed;
    private final List<byte[]> samples;

    /** @param samples valid frames */
    FrameMutator(long seed, List<byte[]> samples) {
        this.seed = seed;
        this.samples = List.copyOf(samples);
    }

    /** The random generator of one frame. */
    SeededRandom random(long number) {
        return new SeededRandom(new SeededRandom(seed).nextLong() + number * 0x9E3779B97F4A7C15L);
    }

    /** The mutated frame of this number. */
    byte[] frame(long number) {
        return frame(random(number));
    }

    byte[] frame(SeededRandom random) {
        var frame = samples.get(random.nextInt(samples.size()));
        for (int edits = 1 + random.nextInt(MAX_EDITS); edits > 0; edits--) {
            frame = edit(frame, random);
        }
        return frame;
    }

    private byte[] edit(byte[] frame, SeededRandom random) {
        if (frame.length == 0) {
            return randomBytes(random);
        }
        int at = random.nextInt(frame.length);
        return switch (random.nextInt(8)) {
            case 0 -> replace(frame, at, frame[at] ^ 1 << random.nextInt(Byte.SIZE));
            case 1 -> replace(frame, at, BOUNDARY_BYTES[random.nextInt(BOUNDARY_BYTES.length)]);
            case 2 -> replace(frame, at, frame[at] + random.nextInt(9) - 4); // a length or a tag that is nearly right
            case 3 -> join(Arrays.copyOf(frame, at), randomBytes(random), from(frame, at));
            case 4 -> join(Arrays.copyOf(frame, at), from(frame, at + random.nextInt(frame.length - at) + 1));
            case 5 -> join(frame, from(frame, at)); // repeats its end
            case 6 ->
                join(Arrays.copyOf(frame, at), from(LONG_NUMBER, random.nextInt(LONG_NUMBER.length)), from(frame, at));
            default -> splice(frame, at, random);
        };
    }

    private byte[] splice(byte[] frame, int at, SeededRandom random) {
        var other = samples.get(random.nextInt(samples.size()));
        return join(Arrays.copyOf(frame, at), from(other, random.nextInt(other.length + 1)));
    }

    private static byte[] randomBytes(SeededRandom random) {
        var bytes = new byte[1 + random.nextInt(MAX_INSERTED_BYTES)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    private static byte[] replace(byte[] frame, int at, int value) {
        var edited = frame.clone();
        edited[at] = (byte) value;
        return edited;
    }

    private static byte[] from(byte[] frame, int at) {
        return Arrays.copyOfRange(frame, at, frame.length);
    }

    private static byte[] join(byte[]... parts) {
        var joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }
}
