package habemus.service.storage;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A folder of the file system, which only one node uses at a time. Only its owner may read the folder and its files.
 */
public final class FileDisk implements Disk {

    private static final String LOCK_FILE = "lock";
    private static final String STAGED_SUFFIX = ".new";

    /** Synced one by one: a sync of another file would otherwise wait until the whole staged file is on disk. */
    private static final int STAGED_CHUNK_BYTES = 1 << 20;

    /** The folders that this process uses: to open the lock file again and close it would release the lock. */
    private static final Set<Path> IN_USE = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final Path realFolder;
    private final FileChannel lock;

    /** @throws IllegalStateException if another node uses the folder */
    public FileDisk(Path folder) {
        this.folder = folder;
        try {
            OwnerOnly.createFolder(folder);
            realFolder = folder.toRealPath();
            lock = lockFolder();
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    "cannot use the data folder " + folder + ": " + FileFailure.reason(failed)
                            + "\nhint: name a folder that this user owns",
                    failed);
        }
        syncFolder(); // the process before may have ended between a change and its sync
    }

    private FileChannel lockFolder() throws IOException {
        if (!IN_USE.add(realFolder)) {
            throw inUse();
        }
        boolean isLocked = false;
        try {
            var channel = OwnerOnly.open(folder.resolve(LOCK_FILE), CREATE, WRITE);
            isLocked = channel.tryLock() != null;
            if (!isLocked) {
                channel.close();
                throw inUse();
            }
            return channel;
        } finally {
            if (!isLocked) {
                IN_USE.remove(realFolder);
            }
        }
    }

    private IllegalStateException inUse() {
        return new IllegalStateException("data folder is in use by another node: " + folder
                + "\nhint: give every node a folder of its own, or stop the other process");
    }

    @Override
    public List<String> list() {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals(LOCK_FILE) && !name.endsWith(STAGED_SUFFIX))
                    .sorted()
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot list " + folder, failed);
        }
    }

    @Override
    public Optional<ByteBuffer> read(String file) {
        var path = folder.resolve(file);
        try {
            return Files.exists(path) ? Optional.of(ByteBuffer.wrap(Files.readAllBytes(path))) : Optional.empty();
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot read " + path, failed);
        }
    }

    @Override
    public Optional<ByteBuffer> readHead(String file, int length) {
        var path = folder.resolve(file);
        if (!Files.exists(path)) {
            return Optional.empty();
        }
        try (var input = Files.newInputStream(path)) {
            return Optional.of(ByteBuffer.wrap(input.readNBytes(length)));
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot read " + path, failed);
        }
    }

    @Override
    public OpenFile create(String file) {
        var opened = open(file, CREATE_NEW, WRITE);
        syncFolder();
        return opened;
    }

    @Override
    public OpenFile open(String file) {
        return open(file, WRITE);
    }

    private OpenFile open(String file, OpenOption... options) {
        var path = folder.resolve(file);
        try {
            return new ChannelFile(path, OwnerOnly.open(path, options));
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot open " + path, failed);
        }
    }

    @Override
    public void stage(String file, ByteBuffer... content) {
        var path = folder.resolve(file + STAGED_SUFFIX);
        try (var channel = OwnerOnly.open(path, CREATE, WRITE, TRUNCATE_EXISTING)) {
            for (var part : content) {
                for (int at = 0; at < part.remaining(); at += STAGED_CHUNK_BYTES) {
                    var chunk = part.slice(part.position() + at, Math.min(STAGED_CHUNK_BYTES, part.remaining() - at));
                    while (chunk.hasRemaining()) {
                        channel.write(chunk);
                    }
                    channel.force(false);
                }
            }
            channel.force(true);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot write " + path, failed);
        }
    }

    @Override
    public void publish(String file) {
        try {
            Files.move(folder.resolve(file + STAGED_SUFFIX), folder.resolve(file), ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot replace " + folder.resolve(file), failed);
        }
        syncFolder();
    }

    @Override
    public void delete(String file) {
        try {
            Files.deleteIfExists(folder.resolve(file));
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot delete " + folder.resolve(file), failed);
        }
    }

    private void syncFolder() {
        try (var channel = FileChannel.open(folder, READ)) {
            channel.force(true);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot sync " + folder, failed);
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } finally {
            IN_USE.remove(realFolder);
        }
    }

    @Override
    public String toString() {
        return folder.toString();
    }

    private record ChannelFile(Path path, FileChannel channel) implements OpenFile {

        private interface Task {
            void run() throws IOException;
        }

        private void run(Task task) {
            try {
                task.run();
            } catch (IOException failed) {
                throw new UncheckedIOException("cannot write " + path, failed);
            }
        }

        @Override
        public void write(long position, ByteBuffer bytes) {
            run(() -> {
                long at = position;
                var rest = bytes.duplicate();
                while (rest.hasRemaining()) {
                    at += channel.write(rest, at);
                }
            });
        }

        @Override
        public void truncate(long size) {
            run(() -> channel.truncate(size));
        }

        @Override
        public void sync() {
            run(() -> channel.force(false));
        }

        @Override
        public void close() {
            run(channel::close);
        }
    }
}
