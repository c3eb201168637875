import { BrowserRouter, Route, Routes } from 'react-router-dom';
import { ListPage } from './list-page.tsx';
import { mount } from './mount.tsx';

mount(
  <BrowserRouter>
    <Routes>
      <Route path="*" element={<ListPage />} />
    </Routes>
  </BrowserRouter>,
);
