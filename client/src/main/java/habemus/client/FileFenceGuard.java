package habemus.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/**
 * Keeps one line for each lock: the largest fence, then the name. Every change writes a new file, syncs it, and renames
 * it over the old one, so the file is never half written. If a line is invalid, the guard rejects every write.
 */
final class FileFenceGuard implements FenceGuard {

    private static final Pattern LINE = Pattern.compile("(\\d{1,19}) (\\S+)");

    /** A file lock belongs to the whole JVM, so its threads exclude each other with these. */
    private static final ConcurrentMap<Path, ReentrantLock> MUTEXES = new ConcurrentHashMap<>();

    private final Path file;
    private final Path folder;
    private final ReentrantLock mutex;

    FileFenceGuard(Path file) {
        this.file = file.toAbsolutePath().normalize();
        var parent = this.file.getParent();
        if (parent == null) {
            throw new IllegalArgumentException("file must have a parent folder, was " + file);
        }
        folder = parent;
        mutex = MUTEXES.computeIfAbsent(this.file, path -> new ReentrantLock());
    }

    @Override
    public void check(String name, long fence) {
        run(name, fence, () -> {});
    }

    @Override
    public void run(String name, long fence, Runnable write) {
        mutex.lock();
        try (var channel = FileChannel.open(sibling(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var unused = channel.lock(); // released when the channel is closed
            checkAndStore(name, fence);
            write.run();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot store fences, write rejected: " + file, e);
        } finally {
            mutex.unlock();
        }
    }

    private Path sibling(String suffix) {
        return folder.resolve(file.getFileName() + suffix);
    }

    private void checkAndStore(String name, long fence) throws IOException {
        var fences = read();
        long largest = fences.getOrDefault(name, 0L);
        if (fence < largest) {
            ClientMetrics.INSTANCE.countStaleFence();
            throw new StaleFenceException(name, fence, largest);
        }
        if (fence > largest) {
            fences.put(name, fence);
            write(fences);
        }
    }

    private Map<String, Long> read() throws IOException {
        var fences = new TreeMap<String, Long>();
        try {
            for (var line : Files.readAllLines(file)) {
                var match = LINE.matcher(line);
                if (!match.matches()) {
                    throw new IOException(
                            "damaged fence file " + file + ": \"" + line + "\" (a line must be a fence and a name)");
                }
                fences.put(URLDecoder.decode(match.group(2), StandardCharsets.UTF_8), Long.parseLong(match.group(1)));
            }
        } catch (NoSuchFileException e) {
            // no fence was seen yet
        }
        return fences;
    }

    private void write(Map<String, Long> fences) throws IOException {
        var text = new StringBuilder();
        fences.forEach((name, fence) -> text.append(fence)
                .append(' ')
                .append(URLEncoder.encode(name, StandardCharsets.UTF_8))
                .append('\n'));
        var next = sibling(".next");
        try (var out = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            var bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (var directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }
}
