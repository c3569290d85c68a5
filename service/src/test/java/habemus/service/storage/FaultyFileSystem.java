package habemus.service.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file system whose disk can fail and whose power can be cut. After a power cut, each file has its last synced
 * content, and the folder its last synced entries.
 */
public final class FaultyFileSystem extends FileSystemProvider {

    private final Path folder;
    private final Map<Path, Content> current = new ConcurrentHashMap<>();
    private final Map<Path, Content> synced = new ConcurrentHashMap<>();
    private volatile Failing failing = Failing.NOTHING;

    /** Which operation fails. */
    public enum Failing {
        NOTHING,
        WRITING,
        SYNCING
    }

    /** The content of a file, independent of its name. */
    private static final class Content {
        private byte[] syncedBytes = {};
    }

    /** @param folder of the real file system */
    public FaultyFileSystem(Path folder) {
        this.folder = folder;
    }

    /** The same folder in this file system. */
    public Path folder() {
        return wrap(folder);
    }

    public void fail(Failing operation) {
        failing = operation;
    }

    /** Cuts the power, and copies the synced content into another folder. */
    public Path cutPower(Path target) {
        try {
            Files.createDirectories(target);
            for (var file : new TreeMap<>(synced).entrySet()) {
                Files.write(target.resolve(file.getKey().getFileName().toString()), file.getValue().syncedBytes);
            }
            return target;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private Path wrap(Path real) {
        return (Path) Proxy.newProxyInstance(
                FaultyFileSystem.class.getClassLoader(),
                new Class<?>[] {Path.class, WrappedPath.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("real")) {
                        return real;
                    }
                    if (method.getName().equals("getFileSystem")) {
                        return system;
                    }
                    var arguments = args == null
                            ? null
                            : Arrays.stream(args)
                                    .map(argument ->
                                            argument instanceof WrappedPath wrapped ? wrapped.real() : argument)
                                    .toArray();
                    try {
                        var result = method.invoke(real, arguments);
                        return result instanceof Path path ? wrap(path) : result;
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    /** A path in this file system. */
    interface WrappedPath {
        Path real();
    }

    private static Path real(Path path) {
        return path instanceof WrappedPath wrapped ? wrapped.real() : path;
    }

    private void check(Failing operation) throws IOException {
        if (failing == operation) {
            throw new IOException("the disk has failed");
        }
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        var file = real(path);
        var channel = FileChannel.open(file, options, attributes);
        if (Files.isDirectory(file)) {
            return new FaultyChannel(channel, file, null);
        }
        return new FaultyChannel(channel, file, current.computeIfAbsent(file, any -> new Content()));
    }

    /** Delegates to a real channel, unless the disk fails. */
    private final class FaultyChannel extends ReadChannel {
        private final Path file;
        private final Content content;

        FaultyChannel(FileChannel channel, Path file, Content content) {
            super(channel);
            this.file = file;
            this.content = content;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            check(Failing.WRITING);
            return channel.write(source);
        }

        @Override
        public int write(ByteBuffer source, long position) throws IOException {
            check(Failing.WRITING);
            return channel.write(source, position);
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
            check(Failing.WRITING);
            return channel.write(sources, offset, length);
        }

        @Override
        public void force(boolean all) throws IOException {
            check(Failing.SYNCING);
            channel.force(all);
            if (content == null) {
                synced.clear();
                synced.putAll(current);
            } else {
                content.syncedBytes = Files.readAllBytes(whereIs());
            }
        }

        /** Syncs the content under all names: the file may have been renamed since it was opened. */
        private Path whereIs() {
            return current.entrySet().stream()
                    .filter(entry -> entry.getValue() == content)
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElse(file);
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            check(Failing.WRITING);
            channel.truncate(size);
            return this;
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
            check(Failing.WRITING);
            return channel.transferFrom(source, position, count);
        }
    }

    @Override
    public void move(Path from, Path to, CopyOption... options) throws IOException {
        check(Failing.WRITING);
        Files.move(real(from), real(to), options);
        var content = current.remove(real(from));
        if (content != null) {
            current.put(real(to), content);
        }
    }

    @Override
    public String getScheme() {
        return "frail";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return Files.newByteChannel(real(path), options, attributes);
    }

    @Override
    @SuppressWarnings("StreamResourceLeak") // the caller closes it
    public DirectoryStream<Path> newDirectoryStream(Path path, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        return Files.newDirectoryStream(real(path), filter);
    }

    @Override
    public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
        Files.createDirectory(real(path), attributes);
    }

    @Override
    public void delete(Path path) throws IOException {
        Files.delete(real(path));
        current.remove(real(path));
    }

    @Override
    public void copy(Path from, Path to, CopyOption... options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isSameFile(Path one, Path other) throws IOException {
        return Files.isSameFile(real(one), real(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return Files.isHidden(real(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return Files.getFileStore(real(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        real(path).getFileSystem().provider().checkAccess(real(path), modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        return Files.getFileAttributeView(real(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return Files.readAttributes(real(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return Files.readAttributes(real(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        Files.setAttribute(real(path), attribute, value, options);
    }

    private final FileSystem system = new FileSystem() {
        @Override
        public FileSystemProvider provider() {
            return FaultyFileSystem.this;
        }

        @Override
        public void close() {}

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public String getSeparator() {
            return folder.getFileSystem().getSeparator();
        }

        @Override
        public Iterable<Path> getRootDirectories() {
            return folder.getFileSystem().getRootDirectories();
        }

        @Override
        public Iterable<FileStore> getFileStores() {
            return folder.getFileSystem().getFileStores();
        }

        @Override
        public Set<String> supportedFileAttributeViews() {
            return folder.getFileSystem().supportedFileAttributeViews();
        }

        @Override
        public Path getPath(String first, String... more) {
            return wrap(folder.getFileSystem().getPath(first, more));
        }

        @Override
        public PathMatcher getPathMatcher(String pattern) {
            throw new UnsupportedOperationException();
        }

        @Override
        public UserPrincipalLookupService getUserPrincipalLookupService() {
            throw new UnsupportedOperationException();
        }

        @Override
        public WatchService newWatchService() {
            throw new UnsupportedOperationException();
        }
    };
}
