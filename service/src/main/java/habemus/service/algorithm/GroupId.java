package habemus.service.algorithm;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.world.Problem;
import java.net.URLEncoder;

/** A lock or an election, by its name. */
public record GroupId(Problem problem, String name) {

    private static final int MAX_NAME_LENGTH = 100;

    /** @throws IllegalArgumentException if it is no name */
    public GroupId {
        if (name.isBlank() || name.length() > MAX_NAME_LENGTH || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a name has 1 to " + MAX_NAME_LENGTH + " characters that can be seen");
        }
    }

    /** For its files. */
    String fileName() {
        return problem + "-" + URLEncoder.encode(name, UTF_8).replace("*", "%2A");
    }

    @Override
    public String toString() {
        return problem + " " + name;
    }
}
