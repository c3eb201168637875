import { ListPage } from './list-page.tsx';
import { mount } from './mount.tsx';

mount(<ListPage />);
