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
 * A line for each name, the largest fence before it. The file is written anew beside the old one, synced, and renamed
 * over it, so there is never half a file under its name; what cannot be read is damage, and nothing passes.
 */
final class FileFenceGuard implements FenceGuard {

    private static final Pattern LINE = Pattern.compile("(\\d{1,19}) (\\S+)");

    /** A lock of a file is one of the whole JVM, so its threads wait for each other here. */
    private static final ConcurrentMap<Path, ReentrantLock> TURNS = new ConcurrentHashMap<>();

    private final Path file;
    private final Path folder;
    private final ReentrantLock turn;

    FileFenceGuard(Path file) {
        this.file = file.toAbsolutePath().normalize();
        var parent = this.file.getParent();
        if (parent == null) {
            throw new IllegalArgumentException(file + " is no file");
        }
        folder = parent;
        turn = TURNS.computeIfAbsent(this.file, any -> new ReentrantLock());
    }

    @Override
    public void check(String name, long fence) {
        run(name, fence, () -> {});
    }

    @Override
    public void run(String name, long fence, Runnable write) {
        turn.lock();
        try (var channel = FileChannel.open(beside(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var unused = channel.lock(); // until the channel is closed
            pass(name, fence);
            write.run();
        } catch (IOException e) {
            throw new UncheckedIOException("the fences of " + file + " cannot be kept, so nothing may be written", e);
        } finally {
            turn.unlock();
        }
    }

    private Path beside(String ending) {
        return folder.resolve(file.getFileName() + ending);
    }

    private void pass(String name, long fence) throws IOException {
        var fences = read();
        long seen = fences.getOrDefault(name, 0L);
        if (fence < seen) {
            ClientMetrics.INSTANCE.countStaleFence();
            throw new StaleFenceException(name, fence, seen);
        }
        if (fence > seen) {
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
                    throw new IOException(file + " is damaged: \"" + line + "\" is no fence and name");
                }
                fences.put(URLDecoder.decode(match.group(2), StandardCharsets.UTF_8), Long.parseLong(match.group(1)));
            }
        } catch (NoSuchFileException first) {
            // nothing has passed yet
        }
        return fences;
    }

    private void write(Map<String, Long> fences) throws IOException {
        var text = new StringBuilder();
        fences.forEach((name, fence) -> text.append(fence)
                .append(' ')
                .append(URLEncoder.encode(name, StandardCharsets.UTF_8))
                .append('\n'));
        var next = beside(".next");
        try (var out = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            var bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (var entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }
}
