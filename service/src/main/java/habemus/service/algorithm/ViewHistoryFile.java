package habemus.service.algorithm;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.service.storage.AtomicFile;
import habemus.service.storage.CorruptFileException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/** The views on the disk of a node. A node without a data folder learns them from its peers after a restart. */
final class ViewHistoryFile {

    private static final Codec<ViewHistory> CODEC = Codec.of(ViewHistory.class);

    private final Optional<Path> dataFolder;

    ViewHistoryFile(Optional<Path> dataFolder) {
        this.dataFolder = dataFolder;
    }

    /** Empty if the members of this node have never changed. */
    Optional<ViewHistory> load() {
        return dataFolder.map(folder -> folder.resolve("views")).flatMap(ViewHistoryFile::load);
    }

    private static Optional<ViewHistory> load(Path file) {
        try {
            return AtomicFile.read(file).map(CODEC::read);
        } catch (MalformedInputException malformed) {
            throw new CorruptFileException(file + " holds no views: " + malformed.getMessage());
        }
    }

    /** Returns when the views are synced to disk. */
    void save(ViewHistory history) {
        dataFolder.ifPresent(folder -> AtomicFile.replace(folder.resolve("views"), CODEC.write(history)));
    }

    /** The view that the durable state of a group belongs to. */
    int loadView(GroupId group) {
        return groupFile(group)
                .flatMap(AtomicFile::read)
                .map(ByteBuffer::getInt)
                .orElse(0);
    }

    /** Returns when the view of a group with durable state is synced to disk. */
    void saveView(GroupId group, int view) {
        groupFile(group)
                .ifPresent(file -> AtomicFile.replace(
                        file, ByteBuffer.allocate(Integer.BYTES).putInt(view).array()));
    }

    private Optional<Path> groupFile(GroupId group) {
        return dataFolder.map(folder -> folder.resolve(group.fileName() + ".view"));
    }
}
