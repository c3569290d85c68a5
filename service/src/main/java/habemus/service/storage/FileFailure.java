package habemus.service.storage;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file could not be used, in words. The JDK says only its name for the most frequent causes. */
public final class FileFailure {

    private FileFailure() {}

    public static String reason(IOException failed) {
        return switch (failed) {
            case NoSuchFileException missing -> "no such file";
            case AccessDeniedException denied -> "permission denied";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> String.valueOf(failed.getMessage());
        };
    }
}
