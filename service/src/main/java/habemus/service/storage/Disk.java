package habemus.service.storage;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The files of one node in one folder. A failed operation throws {@link java.io.UncheckedIOException}; the content of
 * the disk is unknown after it, so the node must stop.
 *
 * <p>If the process before was killed, the content that it wrote to open files may not be synced yet. The names of the
 * files and the content of replaced files are.
 *
 * <p>Not thread-safe, except for {@link #stage}.
 */
public interface Disk extends AutoCloseable {

    /** A file that is written in place. */
    interface OpenFile extends AutoCloseable {

        void write(long position, ByteBuffer bytes);

        /** Cuts the file off at this size. */
        void truncate(long size);

        /** Returns when the content and the size are on disk. */
        void sync();

        @Override
        void close();
    }

    /** The names of all files, in alphabetical order. */
    List<String> list();

    /** The content of a file; empty if it does not exist. */
    Optional<ByteBuffer> read(String file);

    /** The first bytes of a file, at most so many; empty if it does not exist. */
    Optional<ByteBuffer> readHead(String file, int length);

    /** Creates an empty file, which exists after a crash too. */
    OpenFile create(String file);

    /** Opens a file that exists. */
    OpenFile open(String file);

    /**
     * Writes and syncs new content for a file, one part after the other, without replacing the file. Any thread may
     * call it, one at a time for each file.
     */
    void stage(String file, ByteBuffer... content);

    /** Replaces the file by its staged content. After a crash it has the old or the new content. */
    void publish(String file);

    /** Replaces the content of a file and syncs it. After a crash it has the old or the new content. */
    default void replace(String file, ByteBuffer... content) {
        stage(file, content);
        publish(file);
    }

    /** Deletes a file. After a crash it may exist again. */
    void delete(String file);

    /** Releases the folder. */
    @Override
    void close();
}
