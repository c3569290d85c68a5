package habemus.service.algorithm;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.world.Problem;
import java.net.URLEncoder;

/** The name of a lock or an election of classic algorithms. */
public record GroupId(Problem problem, String name) {

    private static final int MAX_NAME_LENGTH = 100;

    /** @throws IllegalArgumentException if the name is blank, too long, or has control characters */
    public GroupId {
        if (name.isBlank() || name.length() > MAX_NAME_LENGTH || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "a name must have 1 to " + MAX_NAME_LENGTH + " printable characters, was '" + name + "'");
        }
    }

    /** The name of its files, without the suffix. */
    String fileName() {
        return problem + "-" + URLEncoder.encode(name, UTF_8).replace("*", "%2A");
    }

    @Override
    public String toString() {
        return problem + " " + name;
    }
}
