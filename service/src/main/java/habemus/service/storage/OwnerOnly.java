package habemus.service.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files and folders that only their owner may read: they hold the nonces by which clients own their sessions. */
public final class OwnerOnly {

    private OwnerOnly() {}

    /** Creates the folder, if necessary, and takes it away from other users. */
    public static void createFolder(Path folder) throws IOException {
        Files.createDirectories(folder);
        if (isPosix(folder)) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
    }

    /** Opens a file. If this creates it, only its owner may read it. */
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        FileAttribute<?>[] attributes = isPosix(file)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        return FileChannel.open(file, Set.of(options), attributes);
    }

    private static boolean isPosix(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
