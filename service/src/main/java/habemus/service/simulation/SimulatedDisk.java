package habemus.service.simulation;

import habemus.service.storage.Disk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that loses what was not synced, can fail, and can lose its power in the middle of an operation.
 *
 * <p>A power failure takes any of the sectors that were written since the last sync of their file. It takes any of the
 * creations, renames and deletions since the last sync of the folder. A process that is killed loses nothing that was
 * written, but nothing more is synced.
 */
public final class SimulatedDisk implements Disk {

    static final int SECTOR_BYTES = 512;
    private static final String STAGED_SUFFIX = ".new";
    private static final byte[] ZEROS = new byte[SECTOR_BYTES];
    private static final ByteBuffer MANY_ZEROS = ByteBuffer.allocate(1 << 16).asReadOnlyBuffer();

    /** The power failed, or the process was killed, in the middle of an operation. */
    public static final class PowerFailureException extends RuntimeException {
        private static final long serialVersionUID = 1;

        PowerFailureException() {
            super("the power failed");
        }
    }

    /** A creation, a rename or a deletion that is not synced yet. */
    private record FolderChange(
            String removed, String added, @Nullable Content content) {
        void applyTo(Map<String, Content> folder) {
            folder.remove(removed);
            if (content != null) {
                folder.put(added, content);
            }
        }
    }

    private final Map<String, Content> synced; // the folder after a power failure
    private final Map<String, Content> current;
    private final List<FolderChange> unsynced = new ArrayList<>();
    private Runnable syncListener = () -> {};
    private Runnable powerListener = () -> {};
    private int stepsLeft = Integer.MAX_VALUE;
    private boolean failsNextWrite;
    private boolean failsNextSync;
    private boolean isFull;
    private boolean isOff;
    private long syncs;

    public SimulatedDisk() {
        this(new TreeMap<>());
    }

    private SimulatedDisk(Map<String, Content> files) {
        synced = new TreeMap<>(files);
        current = new TreeMap<>(files);
    }

    // ---- faults ----

    /** Fails the power. Returns the disk with what survives; this one cannot be used any more. */
    public synchronized SimulatedDisk crash(RandomGenerator random) {
        isOff = true;
        var files = new TreeMap<>(synced);
        for (var change : unsynced) {
            if (random.nextBoolean()) {
                change.applyTo(files);
            }
        }
        files.replaceAll((name, content) -> content.afterCrash(random));
        return new SimulatedDisk(files);
    }

    /** Kills the process. Returns the disk as its next process opens it; this one cannot be used any more. */
    public synchronized SimulatedDisk kill() {
        isOff = true;
        return new SimulatedDisk(current); // a process that opens a folder syncs it first
    }

    /** The power fails in the middle of an operation, after so many changes and syncs. */
    public synchronized void failPowerAfter(int steps) {
        stepsLeft = steps;
    }

    /** The next write is done in part, and throws. */
    public synchronized void failNextWrite() {
        failsNextWrite = true;
    }

    /** The next sync throws. What it should have put on disk is lost, even if a later sync succeeds. */
    public synchronized void failNextSync() {
        failsNextSync = true;
    }

    /** From now on, no write that needs space succeeds. */
    public synchronized void fill() {
        isFull = true;
    }

    /** The disk has space again. */
    public synchronized void free() {
        isFull = false;
    }

    /** @param listener called when the power fails in the middle of an operation */
    public synchronized void setPowerListener(Runnable listener) {
        powerListener = listener;
    }

    /** @param listener called with every sync of a file or of the folder, before it has an effect */
    public synchronized void setSyncListener(Runnable listener) {
        syncListener = listener;
    }

    /** Whether the power failed, the process was killed, or the disk was closed. */
    public synchronized boolean isOff() {
        return isOff;
    }

    /** @param position of the bit, from the start of the file */
    public synchronized void flipBit(String file, long position) {
        file(file).flipBit(position);
    }

    /** Cuts the file off, on disk. */
    public synchronized void truncate(String file, long size) {
        var content = file(file);
        content.truncate(size);
        content.sync();
    }

    /** Deletes the file, on disk. */
    public synchronized void lose(String file) {
        synced.remove(file);
        current.remove(file);
    }

    /** How many syncs of files and of the folder succeeded. */
    public synchronized long syncs() {
        return syncs;
    }

    public synchronized long size(String file) {
        return file(file).size;
    }

    /** A disk with the same files, all of them synced. */
    public synchronized SimulatedDisk copy() {
        var files = new TreeMap<>(current);
        files.replaceAll((name, content) -> content.copy());
        return new SimulatedDisk(files);
    }

    // ---- operations ----

    @Override
    public synchronized List<String> list() {
        checkPower();
        return current.keySet().stream()
                .filter(name -> !name.endsWith(STAGED_SUFFIX))
                .toList();
    }

    @Override
    public synchronized Optional<ByteBuffer> read(String file) {
        checkPower();
        return Optional.ofNullable(current.get(file)).map(content -> content.read(content.size));
    }

    @Override
    public synchronized Optional<ByteBuffer> readHead(String file, int length) {
        checkPower();
        return Optional.ofNullable(current.get(file)).map(content -> content.read(Math.min(length, content.size)));
    }

    @Override
    public synchronized OpenFile create(String file) {
        checkPower();
        if (current.containsKey(file)) {
            throw failed(file, "file exists");
        }
        change(new FolderChange(file, file, new Content()));
        syncFolder();
        return new ContentFile(file, file(file));
    }

    @Override
    public synchronized OpenFile open(String file) {
        checkPower();
        return new ContentFile(file, file(file));
    }

    @Override
    public synchronized void stage(String file, ByteBuffer... content) {
        var staged = file + STAGED_SUFFIX;
        change(new FolderChange(staged, staged, new Content()));
        long position = 0;
        for (var part : content) {
            write(staged, file(staged), position, part);
            position += part.remaining();
        }
        sync(staged, file(staged));
    }

    @Override
    public synchronized void publish(String file) {
        var staged = file + STAGED_SUFFIX;
        change(new FolderChange(staged, file, file(staged)));
        syncFolder();
    }

    @Override
    public synchronized void delete(String file) {
        change(new FolderChange(file, file, null));
    }

    @Override
    public synchronized void close() {
        isOff = true;
    }

    @Override
    public String toString() {
        return "disk";
    }

    // ---- steps of operations ----

    private Content file(String file) {
        var content = current.get(file);
        if (content == null) {
            throw failed(file, "no such file");
        }
        return content;
    }

    private static UncheckedIOException failed(String file, String cause) {
        return new UncheckedIOException("cannot write " + file, new IOException(cause));
    }

    private void checkPower() {
        if (isOff) {
            throw new PowerFailureException();
        }
    }

    /** Whether the power fails before this step is complete. */
    private boolean isInterrupted() {
        checkPower();
        if (stepsLeft-- == 0) {
            isOff = true;
            powerListener.run();
        }
        return isOff;
    }

    private void change(FolderChange change) {
        if (isInterrupted()) {
            throw new PowerFailureException();
        }
        change.applyTo(current);
        unsynced.add(change);
    }

    private void syncFolder() {
        syncListener.run();
        if (isInterrupted()) {
            throw new PowerFailureException();
        }
        if (failsNextSync) {
            failsNextSync = false;
            throw failed("folder", "input/output error");
        }
        unsynced.forEach(change -> change.applyTo(synced));
        unsynced.clear();
        syncs++;
    }

    private void write(String file, Content content, long position, ByteBuffer bytes) {
        var first = bytes.slice(bytes.position(), bytes.remaining() / 2);
        if (isInterrupted()) {
            content.writeWholeSectors(position, first);
            throw new PowerFailureException();
        }
        if (failsNextWrite || isFull && position + bytes.remaining() > content.size) {
            failsNextWrite = false;
            content.writeWholeSectors(position, first);
            throw failed(file, isFull ? "no space left on device" : "input/output error");
        }
        content.write(position, bytes.duplicate());
    }

    private void sync(String file, Content content) {
        syncListener.run();
        if (isInterrupted()) {
            throw new PowerFailureException();
        }
        if (failsNextSync) {
            failsNextSync = false;
            content.forgetUnsynced();
            throw failed(file, "input/output error");
        }
        content.sync();
        syncs++;
    }

    private final class ContentFile implements OpenFile {
        private final String name;
        private final Content content;

        ContentFile(String name, Content content) {
            this.name = name;
            this.content = content;
        }

        @Override
        public void write(long position, ByteBuffer bytes) {
            synchronized (SimulatedDisk.this) {
                SimulatedDisk.this.write(name, content, position, bytes);
            }
        }

        @Override
        public void truncate(long size) {
            synchronized (SimulatedDisk.this) {
                if (isInterrupted()) {
                    throw new PowerFailureException();
                }
                content.truncate(size);
            }
        }

        @Override
        public void sync() {
            synchronized (SimulatedDisk.this) {
                SimulatedDisk.this.sync(name, content);
            }
        }

        @Override
        public void close() {
            // nothing to release
        }
    }

    /** The content of a file, whatever its name: sectors that are not zero, by number. */
    private static final class Content {
        private final NavigableMap<Integer, byte[]> current = new TreeMap<>();
        private final Map<Integer, byte[]> onDisk = new TreeMap<>();
        private final NavigableMap<Integer, List<byte[]>> versions = new TreeMap<>(); // since the last sync
        private final List<Long> sizes = new ArrayList<>(); // since the last sync
        private long size;
        private long sizeOnDisk;

        ByteBuffer read(long length) {
            var bytes = ByteBuffer.allocate(Math.toIntExact(length));
            int sectors = Math.ceilDiv(bytes.limit(), SECTOR_BYTES);
            current.headMap(sectors, false).forEach((number, sector) -> {
                int at = number * SECTOR_BYTES;
                bytes.put(at, sector, 0, Math.min(SECTOR_BYTES, bytes.limit() - at));
            });
            return bytes;
        }

        void write(long position, ByteBuffer bytes) {
            long end = position + bytes.remaining();
            boolean isPreallocation = isUnused((int) (position / SECTOR_BYTES)) && isZero(bytes);
            for (long at = position; at < end && !isPreallocation; ) {
                int number = (int) (at / SECTOR_BYTES);
                int offset = (int) (at % SECTOR_BYTES);
                int length = Math.min(bytes.remaining(), SECTOR_BYTES - offset);
                var sector = current.getOrDefault(number, ZEROS).clone();
                bytes.get(sector, offset, length);
                put(number, sector);
                at += length;
            }
            resize(Math.max(size, end));
        }

        /** Whether neither this sector nor one behind it has content. */
        private boolean isUnused(int number) {
            return current.ceilingKey(number) == null && versions.ceilingKey(number) == null;
        }

        private static boolean isZero(ByteBuffer bytes) {
            for (int at = bytes.position(); at < bytes.limit(); at += MANY_ZEROS.capacity()) {
                int length = Math.min(MANY_ZEROS.capacity(), bytes.limit() - at);
                if (bytes.slice(at, length).mismatch(MANY_ZEROS.slice(0, length)) >= 0) {
                    return false;
                }
            }
            return true;
        }

        /** A write that ends early, between two sectors. */
        void writeWholeSectors(long position, ByteBuffer bytes) {
            long end = (position + bytes.remaining()) / SECTOR_BYTES * SECTOR_BYTES;
            if (end > position) {
                write(position, bytes.slice(bytes.position(), (int) (end - position)));
            }
        }

        private void put(int number, byte[] sector) {
            boolean isZero = Arrays.equals(sector, ZEROS);
            if (isZero && !current.containsKey(number) && !versions.containsKey(number)) {
                return;
            }
            if (isZero) {
                current.remove(number);
            } else {
                current.put(number, sector);
            }
            versions.computeIfAbsent(number, none -> new ArrayList<>()).add(sector);
        }

        private void resize(long newSize) {
            if (newSize != size) {
                size = newSize;
                sizes.add(newSize);
            }
        }

        void truncate(long newSize) {
            int sectors = (int) Math.ceilDiv(newSize, SECTOR_BYTES);
            int rest = (int) (newSize % SECTOR_BYTES);
            for (int number : List.copyOf(current.keySet())) {
                if (number >= sectors) {
                    put(number, ZEROS);
                } else if (number == sectors - 1 && rest > 0) {
                    put(number, Arrays.copyOf(Arrays.copyOf(current.getOrDefault(number, ZEROS), rest), SECTOR_BYTES));
                }
            }
            resize(newSize);
        }

        void sync() {
            for (int number : versions.keySet()) {
                putOnDisk(number, current.getOrDefault(number, ZEROS));
            }
            sizeOnDisk = size;
            forgetUnsynced();
        }

        private void putOnDisk(int number, byte[] sector) {
            if (Arrays.equals(sector, ZEROS)) {
                onDisk.remove(number);
            } else {
                onDisk.put(number, sector);
            }
        }

        void forgetUnsynced() {
            versions.clear();
            sizes.clear();
        }

        Content afterCrash(RandomGenerator random) {
            var after = new Content();
            after.onDisk.putAll(onDisk);
            versions.forEach((number, written) -> {
                int version = random.nextInt(written.size() + 1);
                if (version > 0) {
                    after.putOnDisk(number, written.get(version - 1));
                }
            });
            int resized = random.nextInt(sizes.size() + 1);
            after.sizeOnDisk = resized == 0 ? sizeOnDisk : sizes.get(resized - 1);
            after.current.putAll(after.onDisk);
            after.size = after.sizeOnDisk;
            after.truncate(after.sizeOnDisk); // sectors beyond the size are gone
            after.sync();
            return after;
        }

        void flipBit(long position) {
            int number = (int) (position / 8 / SECTOR_BYTES);
            var sector = current.getOrDefault(number, ZEROS).clone();
            sector[(int) (position / 8 % SECTOR_BYTES)] ^= (byte) (1 << position % 8);
            put(number, sector);
            sync();
        }

        Content copy() {
            var copy = new Content();
            copy.current.putAll(current);
            copy.onDisk.putAll(current);
            copy.size = size;
            copy.sizeOnDisk = size;
            return copy;
        }
    }
}
