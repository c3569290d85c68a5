package habemus.log.postgresql;

import java.sql.SQLException;
import java.util.Objects;

/** Says what is wrong with the database, and what an operator can do. */
final class DatabaseProblem {

    private DatabaseProblem() {}

    static DatabaseException of(SQLException failed) {
        return new DatabaseException(describe(failed), failed);
    }

    private static String describe(SQLException failed) {
        var text = String.valueOf(failed.getMessage()).lines().findFirst().orElse("");
        return switch (Objects.requireNonNullElse(failed.getSQLState(), "")) {
            case "25006" ->
                "database is read-only: " + text
                        + "\nhint: connect to the primary, with all hosts in the URL and targetServerType=primary";
            case "53300" -> "database is out of connections: " + text + "\nhint: raise max_connections";
            case "53100" -> "database is out of disk: " + text + "\nhint: free space on its machine";
            case "42501" ->
                "permission denied: " + text
                        + "\nhint: grant what docs/choose-a-log.md lists, or start once as the owner";
            case "42P01", "42883" -> "tables are missing: " + text + "\nhint: restore them, or set the search_path";
            case "28000", "28P01" -> "login refused: " + text + "\nhint: check user and password in the JDBC URL";
            case "3D000" -> "database does not exist: " + text + "\nhint: CREATE DATABASE, or correct the JDBC URL";
            case "57P01", "57P02", "57P03" -> "database restarts: " + text;
            default -> "cannot reach the database: " + text;
        };
    }
}
