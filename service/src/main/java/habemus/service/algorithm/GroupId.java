package habemus.service.algorithm;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.lockservice.name.NameRule;
import habemus.world.Problem;
import java.net.URLEncoder;

/** The name of a lock or an election of classic algorithms. */
public record GroupId(Problem problem, String name) {

    private static final int MAX_NAME_LENGTH = 100;

    /** @throws IllegalArgumentException if the name is refused, or too long for a file name */
    public GroupId {
        NameRule.require("name", name);
        if (name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException(
                    "a name must have at most " + MAX_NAME_LENGTH + " characters, has " + name.length());
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
