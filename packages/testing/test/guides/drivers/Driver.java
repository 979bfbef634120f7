import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

final class Driver {
    public static void main(String[] arguments) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line; (line = lines.readLine()) != null; ) {
            String[] fields = line.split("\t", -1);
            byte[] body = Base64.getDecoder().decode(fields[0]);
            List<String> secrets = List.of(text(fields[2]).split("\n"));
            boolean isBelieved = text(fields[1]).equals("v1")
                    ? Verify.verify(body, text(fields[3]), secrets)
                    : Verify.verifyStandard(body, text(fields[4]), text(fields[5]), text(fields[3]), secrets,
                            Instant.ofEpochSecond(Long.parseLong(text(fields[6]))));
            System.out.println(isBelieved);
        }
    }

    private static String text(String field) {
        return new String(Base64.getDecoder().decode(field), UTF_8);
    }
}
