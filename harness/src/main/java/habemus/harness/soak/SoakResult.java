package habemus.harness.soak;

import com.google.gson.JsonObject;
import java.util.List;

/** The result of one kind of soak. */
public interface SoakResult {

    /** One line: the system under test, and its size. */
    String title(Soak soak, double minutes);

    /** Lines about everything but the faults of nodes. */
    List<String> events();

    /** Lines of Markdown: each guarantee, and whether it was violated. */
    List<String> verdicts();

    /** Whether no guarantee was violated. */
    boolean hasPassed();

    void addTo(JsonObject json);
}
